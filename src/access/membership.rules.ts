import { conflict, forbidden } from '../common/errors.js';
import { rankOf, type Role } from '../common/roles.js';

const MEMBER = 2;
const ADMIN = 3;
const OWNER = 4;

/** The state of a container before a membership changes; ranks are 1 to 4, 0 without a role. */
export interface MembershipFacts {
  container: 'organization' | 'endeavour';
  /** The status of the container. */
  status: string;
  /** The acting person's own rank there; 4 for administrators. */
  mine: number;
  isMyself: boolean;
  /** The member's present role, if any, and whether they can sign in to use it. */
  role: Role | null;
  isActive: boolean;
  otherActiveOwners: number;
  /** Whether the endeavour has a home organization, whose owners own it anyhow. */
  hasHome: boolean;
  /** The acting person's rank in that organization; 4 for administrators. */
  mineAtHome: number;
  /** Whether the member belongs to that organization. */
  isAtHome: boolean;
}

/**
 * Rejects a role that the acting person may not give, or that would leave the container without an owner. If the role
 * does not change (only stakeholder roles do), any admin may.
 */
export function assertMayGive(standing: MembershipFacts, role: Role): void {
  const touched = role === standing.role ? 0 : Math.max(rankOf(role), presentRank(standing));
  assertReaches(standing, touched);
  assertOutsider(standing, rankOf(role));
  assertOwnerStays(standing, rankOf(role));
}

/** Rejects the end of a membership; members can leave, except for the last active owner. */
export function assertMayTake(standing: MembershipFacts): void {
  if (!standing.isMyself) assertReaches(standing, presentRank(standing));
  assertOwnerStays(standing, 0);
}

const presentRank = ({ role }: MembershipFacts): number => (role === null ? 0 : rankOf(role));

function assertReaches({ mine, container }: MembershipFacts, highest: number): void {
  if (mine < ADMIN) throw forbidden(`the admin role in this ${container}`);
  if (highest > mine) throw forbidden(`the owner role in this ${container}`);
}

/** Only owners of the home organization can grant an outsider a role above member. */
function assertOutsider(standing: MembershipFacts, next: number): void {
  const { hasHome, isAtHome, mineAtHome } = standing;
  const isRaised = next > MEMBER && next > presentRank(standing);
  if (hasHome && !isAtHome && isRaised && mineAtHome < OWNER) {
    throw forbidden('the owner role in the home organization of this endeavour');
  }
}

function assertOwnerStays(standing: MembershipFacts, next: number): void {
  if (standing.hasHome) return;
  // An archived container can lose its last owner if the account is closed; an active one must keep one.
  const isNeeded = standing.isActive || standing.status !== 'archived';
  const isLast = presentRank(standing) === OWNER && isNeeded && standing.otherActiveOwners === 0;
  if (isLast && next < OWNER) {
    throw conflict('last_owner', `The ${standing.container} needs another active owner first.`);
  }
}
