import { conflict } from '../../common/errors.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import type { Approval } from './approval.entity.js';
import type { ApproverRoles } from './approvals.repository.js';

/** Whether the approver holds the role: any role up to the approver's own, or one of the approver's stakeholder roles. */
export function holds({ rank, stakeholder_roles }: ApproverRoles, role: string, isOrganization: boolean): boolean {
  const roles: readonly string[] = isOrganization ? ORGANIZATION_ROLES : ENDEAVOUR_ROLES;
  return roles.includes(role) ? roles.slice(0, rank).includes(role) : stakeholder_roles.includes(role);
}

/** Rejects the dismissal of an approval unless it is a current rejection that has not been dismissed. */
export function assertDismissible({ verdict, isCurrent, dismissedAt }: Approval): void {
  if (verdict !== 'rejected') throw conflict('not_a_rejection', 'Only a rejection can be dismissed.');
  if (!isCurrent) throw conflict('not_current', 'The approver has given a newer verdict since.');
  if (dismissedAt !== null) throw conflict('already_dismissed', 'The rejection has already been dismissed.');
}
