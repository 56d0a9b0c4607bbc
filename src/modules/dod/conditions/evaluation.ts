import { isRecord } from '../../../common/texts/json.js';
import type { Strictness } from '../policies/policy.lifecycle.js';
import type { Condition, ConditionResult, ConditionFinding, TaskFacts } from './condition.js';
import { paramErrors } from './params.js';
import { conditionType } from './types.js';

/** The conditions of a policy, and how many of them must pass. */
export interface PolicyRules {
  conditions: readonly Condition[];
  strictness: Strictness;
  quorum: number | null;
}

/** The result of evaluating a task against a policy. */
export interface Evaluation {
  isMet: boolean;
  results: ConditionResult[];
  /** The ids of the evidence of all conditions. */
  evidenceIds: string[];
}

/** Evaluates a task from its facts. A condition that cannot be evaluated blocks the task, even if it is not required. */
export function evaluate({ conditions, strictness, quorum }: PolicyRules, facts: TaskFacts): Evaluation {
  const findings = conditions.map((condition) => ({ condition, finding: findingOf(condition, facts) }));
  const required = findings.filter(({ condition }) => condition.required);
  const passed = required.filter(({ finding }) => finding?.passed === true).length;
  const minimum = strictness === 'all' ? required.length : (quorum ?? required.length);
  return {
    // A policy without a required condition would always pass.
    isMet: required.length > 0 && passed >= minimum && findings.every(({ finding }) => finding !== undefined),
    results: findings.map(({ condition, finding }) => resultOf(condition, finding ?? NOT_EVALUATED)),
    evidenceIds: [...new Set(findings.flatMap(({ finding }) => finding?.evidenceIds ?? []))],
  };
}

const NOT_EVALUATED: ConditionFinding = {
  passed: false,
  detail: 'the condition cannot be evaluated',
  hint: 'Contact an administrator: the policy contains a condition type that this release does not support.',
  evidenceIds: [],
};

/** Returns undefined if the type is unknown or a stored parameter is invalid. */
function findingOf({ id, type, label, params }: Condition, facts: TaskFacts): ConditionFinding | undefined {
  const known = conditionType(type);
  if (known === undefined || !isRecord(params) || paramErrors(known.params, params, 'params').length > 0)
    return undefined;
  return known.evaluate(params, facts, { id, label });
}

const resultOf = (
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
