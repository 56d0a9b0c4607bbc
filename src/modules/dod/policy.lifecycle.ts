import { Lifecycle } from '../../common/lifecycle.js';

export type PolicyStatus = 'active' | 'archived';

/** An archived policy is not assigned any more, and has no further versions. */
export const policyLifecycle = new Lifecycle<PolicyStatus>('active', {
  active: ['archived'],
  archived: ['active'],
});

/** How many of the required conditions must pass: all of them, or as many as the quorum says. */
export const STRICTNESSES = ['all', 'n_of'] as const;
export type Strictness = (typeof STRICTNESSES)[number];

/** What policies speak of. */
export const POLICY_SCOPES = ['task'] as const;
export type PolicyScope = (typeof POLICY_SCOPES)[number];
