import { Injectable } from '@nestjs/common';
import { MembershipRows } from '../../../access/memberships/membership-rows.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { SignInVetoes } from '../../../access/authentication/sign-in-vetoes.js';
import { domainOf } from '../../../common/network/domains.js';
import { ApiError } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { AccountsRepository } from '../../users/accounts.repository.js';
import { UserCreation } from '../../users/user-creation.js';
import { userView } from '../../users/user.view.js';
import { GroupRoles } from '../group-roles.service.js';
import { IdentitiesRepository, type FoundIdentity } from './identities.repository.js';
import type { SignInProvider } from '../identity-providers.repository.js';
import { IdentityLinks } from './identity-links.js';
import type { ProviderClaims } from '../provider.rules.js';

/**
 * Decides which account a person at a provider has. The key is what the provider calls the person, never an address: an
 * address links an account at most once, and only if the provider speaks for both.
 */
@Injectable()
export class AccountLinking {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly groups: GroupRoles,
    private readonly identities: IdentitiesRepository,
    private readonly links: IdentityLinks,
    private readonly membershipRows: MembershipRows,
    private readonly memberships: Memberships,
    private readonly users: UserCreation,
    private readonly vetoes: SignInVetoes,
  ) {}

  /** The user, in the current transaction; 403 `link_required` or `identity_unknown` if there is none. */
  async userOf(provider: SignInProvider, claims: ProviderClaims): Promise<string> {
    await this.identities.lockSubject(provider.id, claims.subject);
    const known = await this.lockKnown(provider.id, claims.subject);
    if (known !== undefined) {
      await this.assertNotDismissed(provider, known.userId);
      if (!known.isValid) throw linkRequired();
      await this.identities.countUse(provider.id, claims.subject);
      return known.userId;
    }
    const { email } = claims;
    if (email === undefined || !claims.isVerified || !provider.domains.includes(domainOf(email))) throw unknown();
    // The directory locks in this order, too, and can add the same person at the same time.
    if (provider.organizationId !== null) await this.membershipRows.lock('organization', provider.organizationId);
    const account = await this.accounts.forIdentity(email);
    if (account === undefined) return this.create(provider, claims, email);
    await this.assertNotDismissed(provider, account.id);
    if (!account.isOrdinary || !(await this.speaksFor(provider, account.id))) throw linkRequired();
    await this.links.add(provider, claims, await this.actorOf(account.id), false);
    return account.id;
  }

  /**
   * The identity. Its user is locked, so that whether it is valid holds until the session is open: who becomes an
   * administrator does so before, or loses the session, too.
   */
  private async lockKnown(providerId: string, subject: string): Promise<FoundIdentity | undefined> {
    const known = await this.identities.find(providerId, subject);
    if (known === undefined) return undefined;
    await this.identities.lockUser(known.userId);
    return this.identities.find(providerId, subject);
  }

  /** Rejects a sign-in with a provider of the organization by a person whom its directory has dismissed. */
  private async assertNotDismissed({ organizationId }: SignInProvider, userId: string): Promise<void> {
    if (organizationId !== null && (await this.vetoes.isVetoed(userId, organizationId))) throw unknown();
  }

  /**
   * Whether the address alone may link the account. Not a second time: an address can be given to another person, and a
   * person can have removed the identity. The provider of the installation speaks for everybody in its domains.
   */
  private async speaksFor({ id, organizationId }: SignInProvider, userId: string): Promise<boolean> {
    if (await this.identities.hasBeenLinked(id, userId)) return false;
    return organizationId === null || this.identities.isSpokenFor(userId, organizationId);
  }

  /** An account without a password, as a member of the organization of the provider. */
  private async create(provider: SignInProvider, claims: ProviderClaims, email: string): Promise<string> {
    if (!provider.jit) throw unknown();
    const name = claims.name ?? email.slice(0, email.lastIndexOf('@'));
    const created = (await this.users.create(null, { email, name })).read(userView);
    const actor = { userId: created.id, resourceId: created.resource_id, name };
    if (provider.organizationId !== null) await this.join(provider.organizationId, provider, claims, actor);
    await this.links.add(provider, claims, actor, false);
    return created.id;
  }

  private async join(
    organizationId: string,
    provider: SignInProvider,
    claims: ProviderClaims,
    actor: Actor,
  ): Promise<void> {
    await this.identities.recordMaker(actor.userId, organizationId);
    try {
      // The organization has decided it by its setting, so the role is not limited by rights of the new person.
      const granter = { ...actor, isAdmin: true };
      const byGroup = await this.groups.roleOfNew(provider, claims);
      const grant = byGroup === undefined ? { role: provider.role } : { role: byGroup, byGroup: true };
      await this.memberships.grantOrganization(granter, organizationId, actor, grant);
    } catch (error) {
      // The organization is archived, or an operation works on it.
      throw error instanceof ApiError ? unknown() : error;
    }
  }

  private async actorOf(userId: string): Promise<Actor> {
    const actor = await this.accounts.actor(userId);
    if (actor === undefined) throw unknown();
    return actor;
  }
}

const refusal = (reason: 'identity_unknown' | 'link_required', message: string): ApiError =>
  new ApiError('forbidden', message, { required: 'an account that is linked with this identity', reason });

const unknown = (): ApiError =>
  refusal(
    'identity_unknown',
    'No account is linked with this identity. If you have an account, sign in in another way and link it with ' +
      'POST /auth/identities; otherwise, ask for an invitation.',
  );

const linkRequired = (): ApiError =>
  refusal(
    'link_required',
    'There is an account with your address that is not linked with this identity. Sign in in another way, and link it ' +
      'with POST /auth/identities.',
  );
