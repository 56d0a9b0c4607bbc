/** The states of a run: it waits for its turn; its actions were done, or refused; it failed; or its rule was disabled. */
export const RUN_STATUSES = ['waiting', 'succeeded', 'refused', 'failed', 'canceled'] as const;
export type RuleRunStatus = (typeof RUN_STATUSES)[number];

/** The same, and the state before the filter of the rule has been applied. */
export const ALL_RUN_STATUSES = ['new', ...RUN_STATUSES] as const;

/** The number of runs of an endeavour in a minute; further ones wait (spec 14). */
export const RUNS_PER_MINUTE = 60;
/** With this number of waiting runs, a rule is disabled (spec 14). */
export const MOST_WAITING = 1_000;

/** The number of attempts after which a run has failed. */
export const MAX_ATTEMPTS = 5;

/** The seconds after a failed attempt until the next one. */
export const secondsAfter = (attempts: number): number => 2 ** Math.min(attempts, MAX_ATTEMPTS);

/** Refusals that say nothing about the action: it fails, and is tried again a few times. */
const FAILURES = ['unavailable', 'request_in_progress', 'internal_error'];
/** Refusals that end by themselves: it is tried again until then. */
const PAUSES = ['rate_limited', 'velocity_limit', 'in_progress'];

export const isFailure = (code: string): boolean => FAILURES.includes(code);
export const isPause = (code: string): boolean => PAUSES.includes(code);
