import { conflict, forbidden } from '../common/errors.js';
import { rankOf, type Role } from '../common/roles.js';

const ADMIN = 3;
const OWNER = 4;

/** How things stand in a container before somebody's membership changes; ranks are 1 to 4, 0 without a role. */
export interface Standing {
  container: 'organization' | 'endeavour';
  /** The acting person's own rank there; 4 for administrators. */
  mine: number;
  isMyself: boolean;
  /** The member's present role, if any, and whether they can sign in to use it. */
  role: Role | null;
  isActive: boolean;
  otherActiveOwners: number;
}

/**
 * Refuses a role that the acting person may not give, or that would leave the container without an owner. Where the
 * role stays as it is (only stakeholder roles change), any admin will do.
 */
export function assertMayGive(standing: Standing, role: Role): void {
  const touched = role === standing.role ? 0 : Math.max(rankOf(role), presentRank(standing));
  assertReaches(standing, touched);
  assertOwnerStays(standing, rankOf(role));
}

/** Refuses the end of a membership; any member may leave, the last active owner may not. */
export function assertMayTake(standing: Standing): void {
  if (!standing.isMyself) assertReaches(standing, presentRank(standing));
  assertOwnerStays(standing, 0);
}

const presentRank = ({ role }: Standing): number => (role === null ? 0 : rankOf(role));

function assertReaches({ mine, container }: Standing, highest: number): void {
  if (mine < ADMIN) throw forbidden(`the role admin or higher in the ${container}`);
  if (highest > mine) throw forbidden(`the role owner in the ${container}`);
}

function assertOwnerStays(standing: Standing, next: number): void {
  const isLast = presentRank(standing) === OWNER && standing.isActive && standing.otherActiveOwners === 0;
  if (isLast && next < OWNER) {
    throw conflict('last_owner', `The last active owner of the ${standing.container} must stay one.`);
  }
}
