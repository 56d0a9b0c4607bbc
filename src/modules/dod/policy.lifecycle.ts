import { Lifecycle } from '../../common/lifecycle.js';

export type PolicyStatus = 'active' | 'archived';

/** An archived policy cannot be assigned and gets no further versions. */
export const policyLifecycle = new Lifecycle<PolicyStatus>('active', {
  active: ['archived'],
  archived: ['active'],
});

/** How many of the required conditions must pass: all of them, or as many as the quorum says. */
export const STRICTNESSES = ['all', 'n_of'] as const;
export type Strictness = (typeof STRICTNESSES)[number];

/** Where a policy is: global, in an organization or an endeavour, or with the person who made it. */
export const POLICY_CONTAINERS = ['global', 'organization', 'endeavour', 'personal'] as const;
export type PolicyContainer = (typeof POLICY_CONTAINERS)[number];

/** What policies speak of. */
export const POLICY_SCOPES = ['task'] as const;
export type PolicyScope = (typeof POLICY_SCOPES)[number];
