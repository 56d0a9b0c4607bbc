import { Lifecycle } from '../../../common/lifecycle.js';

export type PolicyStatus = 'active' | 'archived';

/** An archived policy cannot be assigned, and no new version of it can be created. */
export const policyLifecycle = new Lifecycle<PolicyStatus>('active', {
  active: ['archived'],
  archived: ['active'],
});

/** How many of the required conditions must pass: all of them, or a quorum. */
export const STRICTNESSES = ['all', 'n_of'] as const;
export type Strictness = (typeof STRICTNESSES)[number];

/** The kinds of containers of policies; a personal policy belongs to its creator. */
export const POLICY_CONTAINERS = ['global', 'organization', 'endeavour', 'personal'] as const;
export type PolicyContainer = (typeof POLICY_CONTAINERS)[number];

/** The kinds that policies apply to. */
export const POLICY_SCOPES = ['task'] as const;
export type PolicyScope = (typeof POLICY_SCOPES)[number];
