import { Lifecycle } from '../../common/lifecycle.js';

export type OrganizationStatus = 'active' | 'inactive' | 'archived';

/** Archiving and coming back have operations of their own; a patch moves between active and inactive. */
export const organizationLifecycle = new Lifecycle<OrganizationStatus>('active', {
  active: ['inactive', 'archived'],
  inactive: ['active', 'archived'],
  archived: ['active'],
});
