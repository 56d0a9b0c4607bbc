import { Lifecycle } from '../../common/lifecycle.js';

export type OrganizationStatus = 'active' | 'inactive' | 'archived';

/** Archiving and restoring have separate operations; a patch switches between active and inactive. */
export const organizationLifecycle = new Lifecycle<OrganizationStatus>('active', {
  active: ['inactive', 'archived'],
  inactive: ['active', 'archived'],
  archived: ['active'],
});
