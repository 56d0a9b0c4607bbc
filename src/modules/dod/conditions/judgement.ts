import { isRecord } from '../../../common/json.js';
import type { Strictness } from '../policy.lifecycle.js';
import type { Condition, ConditionResult, ConditionFinding, TaskFacts } from './condition.js';
import { paramErrors } from './params.js';
import { conditionType } from './types.js';

/** The rules of a policy. */
export interface Measure {
  conditions: readonly Condition[];
  strictness: Strictness;
  quorum: number | null;
}

/** The outcome of a task under a policy. */
export interface Judgement {
  isMet: boolean;
  results: ConditionResult[];
  /** The ids of all evidence. */
  restsOn: string[];
}

/** Evaluates a task only from its facts. A condition that cannot be evaluated blocks the task, required or not. */
export function judge({ conditions, strictness, quorum }: Measure, facts: TaskFacts): Judgement {
  const found = conditions.map((condition) => ({ condition, finding: find(condition, facts) }));
  const required = found.filter(({ condition }) => condition.required);
  const passed = required.filter(({ finding }) => finding?.passed === true).length;
  const least = strictness === 'all' ? required.length : (quorum ?? required.length);
  return {
    // A policy without a required condition would always pass.
    isMet: required.length > 0 && passed >= least && found.every(({ finding }) => finding !== undefined),
    results: found.map(({ condition, finding }) => show(condition, finding ?? UNJUDGED)),
    restsOn: [...new Set(found.flatMap(({ finding }) => finding?.restsOn ?? []))],
  };
}

const UNJUDGED: ConditionFinding = {
  passed: false,
  detail: 'the condition cannot be evaluated',
  hint: 'Contact an administrator: the policy contains a condition type that this release does not support.',
  restsOn: [],
};

/** Undefined if the type is unknown or a stored parameter is invalid. */
function find({ type, params }: Condition, facts: TaskFacts): ConditionFinding | undefined {
  const known = conditionType(type);
  if (known === undefined || !isRecord(params) || paramErrors(known.params, params, 'params').length > 0)
    return undefined;
  return known.judge(params, facts);
}

const show = (
  { id, type, label, required }: Condition,
  { passed, detail, hint }: ConditionFinding,
): ConditionResult => ({
  id,
  type,
  label,
  required,
  status: passed ? 'passed' : 'failed',
  detail,
  hint: passed ? null : hint,
});
