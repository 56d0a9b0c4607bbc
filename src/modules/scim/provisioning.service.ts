import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Consent, invitationRequired } from '../../access/authentication/consent.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { SignInVetoes } from '../../access/authentication/sign-in-vetoes.js';
import { MailContents } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { OrganizationAccounts } from '../identity-providers/identities/organization-accounts.js';
import { DirectoryMembershipsService, type Dismissal } from '../organizations/members/directory-memberships.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ReassignmentsService } from '../resources/assignments/reassignments.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { AccountsRepository, type DirectoryAccount } from '../users/accounts.repository.js';
import { UsersService } from '../users/users.service.js';
import type { Directory } from './directory.js';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.js';
import { ScimUsersRepository, type Standing } from './users/scim-users.repository.js';

/**
 * Lets people into an organization and out of it as its directory says. A directory says who works there; what they may do
 * follows from memberships, which it gives back as they were.
 */
@Injectable()
export class ProvisioningService implements OnModuleInit {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly consent: Consent,
    private readonly contents: MailContents,
    private readonly memberships: DirectoryMembershipsService,
    private readonly organizationAccounts: OrganizationAccounts,
    private readonly organizations: OrganizationsService,
    private readonly outbox: Outbox,
    private readonly reassignments: ReassignmentsService,
    private readonly scimTokens: ScimTokensRepository,
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
    private readonly users: ScimUsersRepository,
    private readonly usersService: UsersService,
    vetoes: SignInVetoes,
  ) {
    vetoes.register((userId, organizationId) => users.isDismissed(organizationId, userId));
    // Whoever sets the status takes the decision over: a directory lifts only its own suspension.
    usersService.observeStatus((userId) => users.forgetSuspension(userId));
  }

  onModuleInit(): void {
    this.contents.provide('last_owner_dismissed', async ({ name, place, person }) => ({
      name: String(name),
      place: String(place),
      person: String(person),
    }));
  }

  /**
   * Makes the person a member, with what the directory has ended before, and lifts the suspension by the directory. 403 for
   * people who left on their own lately. What was ended is given back once.
   */
  async admit(directory: Directory, account: DirectoryAccount, { former, isSuspended }: Standing): Promise<void> {
    const { organizationId } = directory;
    // First, because messages reach only active people.
    if (isSuspended) await this.resume(directory, account);
    if (!(await this.memberships.isMember(organizationId, account.id))) {
      if (await this.consent.hasLeft(organizationId, account.id)) throw invitationRequired();
      await this.memberships.join(directory, organizationId, personOf(account), former ?? undefined);
    }
    await this.users.keepStanding(organizationId, account.id, { former: null, isSuspended: false });
  }

  /**
   * Ends the membership, all sessions, and the tokens that reach into the organization. An account that the organization
   * made and that belongs to nothing else is suspended. The last active owner stays one, and administrators are told, unless
   * the dismissal `isRepeated`.
   */
  async dismiss(
    directory: Directory,
    account: DirectoryAccount,
    before: Standing,
    { isRepeated = false } = {},
  ): Promise<void> {
    const { organizationId } = directory;
    const isMember = await this.memberships.isMember(organizationId, account.id);
    const dismissal: Dismissal | undefined = isMember
      ? await this.memberships.dismiss(directory, organizationId, personOf(account))
      : undefined;
    if (isMember) await this.handOver(directory, account);
    await this.sessions.endAll(account.id);
    await this.tokens.endReaching(directory, account.id, organizationId);
    const isLastOwner = dismissal !== undefined && 'isLastOwner' in dismissal;
    if (isLastOwner && !isRepeated) await this.tellAdministrators(directory, account);
    const former = dismissal !== undefined && 'former' in dismissal ? dismissal.former : before.former;
    const isSuspended = (await this.suspend(directory, account)) || before.isSuspended;
    await this.users.keepStanding(organizationId, account.id, { former, isSuspended });
  }

  /** Hands open work over to whom the organization has named for it; what that cannot take stays and is listed. */
  private async handOver(directory: Directory, { resourceId }: DirectoryAccount): Promise<void> {
    const { organizationId } = directory;
    const to = (await this.organizations.lock(organizationId))?.scimReassignTo ?? null;
    if (to !== null) await this.reassignments.handOver(directory, organizationId, { from: resourceId, to });
  }

  /** Lifts the suspension of the account, unless it is that of an administrator of the service. */
  private async resume(directory: Directory, { id }: DirectoryAccount): Promise<void> {
    const account = await this.accounts.lockForDirectory(id);
    if (account?.status !== 'suspended' || account.isAdmin) return;
    await this.usersService.changeByDirectory(directory, id, { status: 'active' });
  }

  private async suspend(directory: Directory, { id }: DirectoryAccount): Promise<boolean> {
    const account = await this.accounts.lockForDirectory(id);
    if (account === undefined) return false;
    const { isAdmin, status } = account;
    if (isAdmin || status !== 'active') return false;
    if (!(await this.organizationAccounts.isMadeBy(id, directory.organizationId))) return false;
    if (!(await this.memberships.hasNoPlace(id))) return false;
    await this.usersService.changeByDirectory(directory, id, { status: 'suspended' });
    return true;
  }

  private async tellAdministrators(directory: Directory, account: DirectoryAccount): Promise<void> {
    const [place, person, administrators] = [
      await this.scimTokens.nameOf(directory.organizationId),
      await this.accounts.owner(account.id),
      await this.accounts.activeAdministrators(),
    ];
    await this.outbox.sendAll(
      administrators.map(({ id, name, email, lang }) => ({
        kind: 'last_owner_dismissed' as const,
        to: email,
        lang,
        data: { user_id: id, name, place, person: person?.name ?? '' },
        reference: directory.organizationId,
      })),
    );
  }
}

const personOf = ({ id, resourceId }: DirectoryAccount): { userId: string; resourceId: string } => ({
  userId: id,
  resourceId,
});
