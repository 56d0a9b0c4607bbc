import type { CheckResult } from './check.entity.js';
import type { ConditionResult } from '../conditions/condition.js';
import type { Evaluation } from '../conditions/evaluation.js';

/** The result of a check for the user who requested it. */
export interface CheckVerdict {
  result: CheckResult;
  overridden: boolean;
  endorsed: boolean;
  conditions: ConditionResult[];
  hint: string | null;
  restedOn: string[];
}

const NO_POLICY = 'No policy is assigned to the endeavour, so its tasks have no conditions to meet.';
const ENDORSE = 'Endorse the policy of the endeavour before you complete tasks: POST /dod-endorsements.';

export const withoutPolicy = (overridden: boolean): CheckVerdict => ({
  result: 'no_policy',
  overridden,
  endorsed: false,
  conditions: [],
  hint: NO_POLICY,
  restedOn: [],
});

const OVERRIDE_VOID =
  'The override was made for another policy or another version of it, and does not count under the one in force.';

interface Circumstances {
  overridden: boolean;
  /** There is an override for another version of the policy. */
  isOverrideVoid: boolean;
  endorsed: boolean;
  /** The caller is about to complete the task, which requires an endorsement of the policy. */
  isClosing: boolean;
}

/** Combines the evaluation with the override of the task and the endorsement of the user who requested the check. */
export function verdictOf(
  evaluation: Evaluation,
  { overridden, isOverrideVoid, endorsed, isClosing }: Circumstances,
): CheckVerdict {
  const { isMet, results, evidenceIds } = evaluation;
  const lacking = isMet ? [] : [...results.map(({ hint }) => hint), isOverrideVoid ? OVERRIDE_VOID : null];
  const hints = [endorsed ? null : ENDORSE, ...lacking];
  const texts = hints.filter((hint) => hint !== null);
  return {
    result: isMet && (endorsed || !isClosing) ? 'met' : 'not_met',
    overridden,
    endorsed,
    conditions: results,
    hint: texts.length === 0 ? null : texts.join(' '),
    restedOn: evidenceIds,
  };
}

/** Whether a task with that verdict can be done. */
export const passes = ({ result, overridden }: CheckVerdict): boolean => result !== 'not_met' || overridden;

export const failedOf = (conditions: readonly ConditionResult[]): ConditionResult[] =>
  conditions.filter(({ status }) => status === 'failed');

/** Returns the obstacles that prevent the task from being completed. */
export function obstaclesOf(verdict: CheckVerdict): { code: string; message: string }[] {
  if (passes(verdict)) return [];
  const failed = failedOf(verdict.conditions).map(
    ({ label, detail, hint }) => `${label}: ${detail}.${hint === null ? '' : ` ${hint}`}`,
  );
  const messages = verdict.endorsed ? failed : [ENDORSE, ...failed];
  return messages.map((message) => ({ code: 'dod_not_met', message }));
}
