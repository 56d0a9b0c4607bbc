import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Callers } from '../../access/authentication/callers.js';
import { Consent } from '../../access/authentication/consent.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { MembershipRows, type Member } from '../../access/memberships/membership-rows.js';
import { ApiError } from '../../common/errors.js';
import { rankOf } from '../../common/roles.js';
import type { GroupRole, ProviderRole } from './identity-provider.entity.js';
import { IdentityProvidersRepository, type SignInProvider } from './identity-providers.repository.js';
import type { ProviderClaims } from './provider.rules.js';

type DecidesRoles = (organizationId: string) => Promise<boolean>;
type Remove = (me: Caller, organizationId: string, member: Member & { userId: string }) => Promise<void>;

/**
 * Gives and takes roles in the organization of a provider by the groups that it tells of a person at a sign-in. Only a list of
 * groups that is present changes anything, and only roles that a group has given.
 */
@Injectable()
export class GroupRoles {
  private decidesRoles: DecidesRoles = () => Promise.resolve(false);
  private remove: Remove | undefined;

  constructor(
    private readonly callers: Callers,
    private readonly consent: Consent,
    private readonly memberships: Memberships,
    private readonly providers: IdentityProvidersRepository,
    private readonly rows: MembershipRows,
  ) {}

  /** Sets who ends a membership with all that follows from it. */
  removeBy(remove: Remove): void {
    this.remove = remove;
  }

  /** Sets who knows of organizations whose directory alone decides by groups, whatever providers tell at a sign-in. */
  leaveToDirectories(decidesRoles: DecidesRoles): void {
    this.decidesRoles = decidesRoles;
  }

  /** Which role groups have in the organization, by all its enabled providers. */
  rolesIn(organizationId: string): Promise<GroupRole[]> {
    return this.providers.groupRolesIn(organizationId);
  }

  /** The role that the groups give to a new account; undefined if that of the provider counts. */
  async roleOfNew(provider: SignInProvider, { groups = [] }: ProviderClaims): Promise<ProviderRole | undefined> {
    const { organizationId } = provider;
    const isLeft = organizationId === null || (await this.decidesRoles(organizationId));
    return isLeft ? undefined : roleFor(provider, groups);
  }

  /** Applies the groups in the current transaction; not to an organization that cannot be changed at the moment. */
  async apply(provider: SignInProvider, claims: ProviderClaims, userId: string): Promise<void> {
    const { organizationId, groupRoles } = provider;
    if (organizationId === null || groupRoles.length === 0 || claims.groups === undefined) return;
    if (await this.decidesRoles(organizationId)) return;
    const found = await this.callers.byUser(userId);
    if (found === undefined) return;
    // The organization has decided it by its setting, so the role is not limited by the rights of the person.
    const me = { ...found.caller, isAdmin: true };
    try {
      await this.settle(me, organizationId, roleFor(provider, claims.groups));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private async settle(me: Caller, organizationId: string, role: ProviderRole | undefined): Promise<void> {
    const { resourceId, userId } = me;
    const member = { resourceId, userId };
    const state = await this.rows.find('organization', me, organizationId, resourceId);
    const isByHand = state.role !== null && !state.viaGroup;
    if (isByHand || role === (state.role ?? undefined)) return;
    if (role === undefined) return this.remove?.(me, organizationId, member);
    if (state.role === null && (await this.consent.hasLeft(organizationId, userId))) return;
    await this.memberships.grantOrganization(me, organizationId, member, { role, byGroup: true });
  }
}

/** The highest role that one of the groups gives. */
export function roleFor(
  { groupRoles }: Pick<SignInProvider, 'groupRoles'>,
  groups: readonly string[],
): ProviderRole | undefined {
  const roles = groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  return roles.toSorted((a, b) => rankOf(b) - rankOf(a)).at(0);
}
