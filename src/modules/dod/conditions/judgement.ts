import { isRecord } from '../../../common/json.js';
import type { Strictness } from '../policy.lifecycle.js';
import type { Condition, ConditionResult, Finding, TaskFacts } from './condition.js';
import { paramErrors } from './params.js';
import { conditionType } from './types.js';

/** What of a policy decides. */
export interface Measure {
  conditions: readonly Condition[];
  strictness: Strictness;
  quorum: number | null;
}

/** The outcome of a task under a policy. */
export interface Judgement {
  isMet: boolean;
  results: ConditionResult[];
  /** The ids of everything that was counted. */
  restsOn: string[];
}

/** Judges a task by nothing but the facts. What cannot be judged holds the task back, required or not. */
export function judge({ conditions, strictness, quorum }: Measure, facts: TaskFacts): Judgement {
  const found = conditions.map((condition) => ({ condition, finding: find(condition, facts) }));
  const required = found.filter(({ condition }) => condition.required);
  const passed = required.filter(({ finding }) => finding?.passed === true).length;
  const least = strictness === 'all' ? required.length : (quorum ?? required.length);
  return {
    // Without a required condition it would pass whatever is done.
    isMet: required.length > 0 && passed >= least && found.every(({ finding }) => finding !== undefined),
    results: found.map(({ condition, finding }) => show(condition, finding ?? UNJUDGED)),
    restsOn: [...new Set(found.flatMap(({ finding }) => finding?.restsOn ?? []))],
  };
}

const UNJUDGED: Finding = {
  passed: false,
  detail: 'the condition cannot be evaluated',
  hint: 'Contact an administrator: the policy contains a condition type that this release does not support.',
  restsOn: [],
};

/** Undefined where the type is unknown or a parameter is not what it takes, however it came into the database. */
function find({ type, params }: Condition, facts: TaskFacts): Finding | undefined {
  const known = conditionType(type);
  if (known === undefined || !isRecord(params) || paramErrors(known.params, params, 'params').length > 0)
    return undefined;
  return known.judge(params, facts);
}

const show = ({ id, type, label, required }: Condition, { passed, detail, hint }: Finding): ConditionResult => ({
  id,
  type,
  label,
  required,
  status: passed ? 'passed' : 'failed',
  detail,
  hint: passed ? null : hint,
});
