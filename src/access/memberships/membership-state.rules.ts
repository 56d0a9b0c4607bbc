import { archived, conflict, inProgress } from '../../common/errors.js';
import { rankOf, type Role } from '../../common/roles.js';
import type { Membership, MembershipState } from './membership-rows.js';

/** Rejects a change of a container that is archived, or that an operation changes. */
export function assertOpen({ status, container, closedBy }: MembershipState): void {
  if (closedBy !== null) throw inProgress(closedBy);
  if (status === 'archived') throw archived(container);
}

/** 409 `managed` for a role that a group gave, unless a group changes it. */
export function assertNotManaged({ viaGroup }: MembershipState, byGroup: boolean): void {
  if (!viaGroup || byGroup) return;
  throw conflict('managed', 'A group at the identity provider gives this role; change it there.');
}

/** Whether the grant only takes access away, which an archived container allows. */
export function isDemotion(state: MembershipState, next: Membership<Role>): boolean {
  const isLower = state.role !== null && rankOf(next.role) < rankOf(state.role);
  return isLower && next.stakeholderRoles.every((word) => state.stakeholderRoles.includes(word));
}

/** Returns the properties that a grant changes, with their previous values. */
export function differences(state: MembershipState, next: Membership<Role>): Record<string, unknown> {
  const previous: Record<string, unknown> = {};
  if (state.role !== next.role) previous.role = state.role;
  if (state.stakeholderRoles.join('\n') !== next.stakeholderRoles.join('\n')) {
    previous.stakeholder_roles = state.stakeholderRoles;
  }
  return previous;
}
