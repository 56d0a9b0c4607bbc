import { conflict, forbidden } from '../../common/errors.js';
import { rankOf, type Role } from '../../common/roles.js';

const MEMBER = 2;
const ADMIN = 3;
const OWNER = 4;

/** The state of a container before a membership changes; ranks are 1 to 4, 0 without a role. */
export interface MembershipFacts {
  container: 'organization' | 'endeavour';
  /** The status of the container. */
  status: string;
  /** The granter's own rank there; 4 for administrators. */
  granterRank: number;
  /** Whether the granter is the member. */
  isMyself: boolean;
  /** The member's current role, if any. */
  role: Role | null;
  /** Whether the member is a user whose account is active. */
  isActive: boolean;
  /** How many other owners are active people. */
  otherActiveOwners: number;
  /** Whether the endeavour has a home organization, whose owners also own the endeavour. */
  hasHome: boolean;
  /** The granter's rank in that organization; 4 for administrators. */
  granterRankAtHome: number;
  /** Whether the member belongs to that organization. */
  isAtHome: boolean;
}

/** Rejects a grant that exceeds the granter's role. Admins of any rank can change stakeholder roles alone. */
export function assertMayGrant(state: MembershipFacts, role: Role): void {
  const required = role === state.role ? 0 : Math.max(rankOf(role), currentRank(state));
  assertSufficientRank(state, required);
  assertMayRaiseOutsider(state, rankOf(role));
}

/** Rejects the removal of a member without the required role; members can leave. */
export function assertMayRevoke(state: MembershipFacts): void {
  if (!state.isMyself) assertSufficientRank(state, currentRank(state));
}

const currentRank = ({ role }: MembershipFacts): number => (role === null ? 0 : rankOf(role));

function assertSufficientRank({ granterRank, container }: MembershipFacts, required: number): void {
  if (granterRank < ADMIN) throw forbidden(`the admin role in this ${container}`);
  if (required > granterRank) throw forbidden(`the owner role in this ${container}`);
}

/** Only owners of the home organization can grant an outsider a role above member. */
function assertMayRaiseOutsider(state: MembershipFacts, next: number): void {
  const { hasHome, isAtHome, granterRankAtHome } = state;
  const isRaised = next > MEMBER && next > currentRank(state);
  if (hasHome && !isAtHome && isRaised && granterRankAtHome < OWNER) {
    throw forbidden('the owner role in the home organization of this endeavour');
  }
}

/** Whether the container would have no active owner without the member. */
export function isLastOwner(state: MembershipFacts): boolean {
  if (state.hasHome) return false;
  // An archived container can lose its last owner if the account is closed; an active one must keep one.
  const isNeeded = state.isActive || state.status !== 'archived';
  return currentRank(state) === OWNER && isNeeded && state.otherActiveOwners === 0;
}

/** Rejects a grant or, with `role` null, a removal that leaves the container without an active owner. */
export function assertOwnerStays(state: MembershipFacts, role: Role | null): void {
  if (isLastOwner(state) && role !== 'owner') {
    throw conflict('last_owner', `The ${state.container} needs another active owner first.`);
  }
}
