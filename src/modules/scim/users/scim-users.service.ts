import { Injectable } from '@nestjs/common';
import { domainOf } from '../../../common/network/domains.js';
import { forbidden, notFound } from '../../../common/errors.js';
import { sameJson } from '../../../common/texts/json.js';
import { serviceAddress } from '../../../platform/config/address.js';
import { Settings } from '../../../platform/config/settings.js';
import { DomainsService } from '../../domains/domains.service.js';
import { OrganizationAccounts } from '../../identity-providers/identities/organization-accounts.js';
import { DirectoryMembershipsService } from '../../organizations/members/directory-memberships.service.js';
import { ReassignmentsService } from '../../resources/assignments/reassignments.service.js';
import { AccountsRepository, type DirectoryAccount } from '../../users/accounts.repository.js';
import { UserCreation } from '../../users/user-creation.js';
import { userView } from '../../users/user.view.js';
import { UsersService } from '../../users/users.service.js';
import type { Directory } from '../directory.js';
import { ProvisioningService } from '../provisioning.service.js';
import { ScimGroupsService } from '../groups/scim-groups.service.js';
import { listResponse, readPaging, type ScimDocument } from '../protocol/scim-documents.js';
import { assertVersion, type Tagged } from '../protocol/scim-versions.js';
import { invalid, taken } from '../protocol/scim-error.js';
import { readFilter } from '../protocol/scim-filter.js';
import { patchedUser, readChanges } from '../protocol/scim-patch.js';
import * as documents from './scim-user.document.js';
import type { ScimUser } from './scim-user.entity.js';
import { ScimUsersRepository, type Standing } from './scim-users.repository.js';

type UserRecord = documents.UserRecord;

/** The most open tasks and demands that a response lists. */
const MAX_OPEN_WORK = 200;
const NO_STANDING = { former: null, isSuspended: false };

/** Keeps what the directory of an organization says about its people, and the accounts behind it. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly domains: DomainsService,
    private readonly groups: ScimGroupsService,
    private readonly memberships: DirectoryMembershipsService,
    private readonly organizationAccounts: OrganizationAccounts,
    private readonly provisioning: ProvisioningService,
    private readonly reassignments: ReassignmentsService,
    private readonly settings: Settings,
    private readonly userCreation: UserCreation,
    private readonly users: ScimUsersRepository,
    private readonly usersService: UsersService,
  ) {}

  async list(directory: Directory, query: Readonly<Record<string, unknown>>): Promise<ScimDocument> {
    const paging = readPaging(query);
    const filter = readFilter(query);
    const { total, users } = await this.users.page(directory.organizationId, filter, paging);
    const at = this.addressOf(directory);
    return listResponse(
      users.map((user) => documents.userDocument(user, at)),
      total,
      paging,
    );
  }

  async get(directory: Directory, id: string): Promise<Tagged> {
    return this.tagged(directory, await this.find(directory, id));
  }

  async create(directory: Directory, body: unknown): Promise<Tagged> {
    const record = documents.userRecordIn(body);
    const { organizationId } = directory;
    await this.memberships.lock(organizationId);
    const address = await this.provedAddress(directory, record);
    if (await this.users.isNameTaken(organizationId, record.userName)) throw userNameTaken();
    const account =
      (await this.accounts.forDirectory(address)) ?? (await this.createAccount(directory, address, record));
    if (!account.isPerson) throw forbidden('a person', 'The account with this address belongs to an agent.');
    assertOpen(account);
    const remains = await this.users.remains(organizationId, account.id);
    if (remains !== undefined && remains.deletedAt === null)
      throw taken('The directory has already added the person with this address.');
    await this.users.insert(organizationId, account.id, record);
    const standing = remains ?? NO_STANDING;
    if (record.active) await this.admit(directory, account, standing);
    else await this.provisioning.dismiss(directory, account, standing);
    return this.get(directory, account.id);
  }

  /** Replaces what the directory has said about the person. */
  async replace(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged> {
    const record = documents.userRecordIn(body);
    await this.memberships.lock(directory.organizationId);
    return this.change(directory, await this.findMatching(directory, id, ifMatch), record);
  }

  async patch(directory: Directory, id: string, body: unknown, ifMatch?: string): Promise<Tagged> {
    const changes = readChanges(body);
    await this.memberships.lock(directory.organizationId);
    const current = await this.findMatching(directory, id, ifMatch);
    const document = patchedUser(documents.documentOfRecord(documents.storedRecord(current)), changes);
    return this.change(directory, current, documents.userRecordIn(document));
  }

  /** Dismisses the person, and forgets what the directory has said. */
  async delete(directory: Directory, id: string, ifMatch?: string): Promise<void> {
    await this.memberships.lock(directory.organizationId);
    const current = await this.findMatching(directory, id, ifMatch);
    await this.provisioning.dismiss(directory, await this.accountOf(id), current, { isRepeated: !current.active });
    await this.groups.forget(directory, id);
    await this.users.remove(directory.organizationId, id);
  }

  private async admit(directory: Directory, account: DirectoryAccount, standing: Standing): Promise<void> {
    await this.provisioning.admit(directory, account, standing);
    await this.groups.rejoin(directory, account.id);
  }

  /** Applies what differs; the same again changes nothing, except that a person who has come back by hand is dismissed again. */
  private async change(directory: Directory, current: ScimUser, record: UserRecord): Promise<Tagged> {
    const { userId } = current;
    const before = documents.storedRecord(current);
    const isSame = sameJson(documents.documentOfRecord(before), documents.documentOfRecord(record));
    const isSwitched = record.active !== before.active;
    const isToLeave =
      !record.active && (isSwitched || (await this.memberships.isMember(directory.organizationId, userId)));
    if (isSame && !isToLeave) return this.tagged(directory, current);
    const account = await this.accountOf(userId);
    if (isSwitched && record.active) assertOpen(account);
    if (!isSame) await this.store(directory, userId, before, record);
    // Memberships come first: containers are locked before the rows of users.
    if (isSwitched && record.active) await this.admit(directory, account, current);
    if (isToLeave) await this.provisioning.dismiss(directory, account, current, { isRepeated: !isSwitched });
    if (!isSame) await this.follow(directory, userId, before, record);
    return this.get(directory, userId);
  }

  private async store(directory: Directory, userId: string, before: UserRecord, record: UserRecord): Promise<void> {
    const { organizationId } = directory;
    if (await this.users.isNameTaken(organizationId, record.userName, userId)) throw userNameTaken();
    await this.assertMayChange(directory, before, record);
    await this.users.update(organizationId, userId, record, record.active !== before.active);
  }

  /**
   * A change needs a proved domain, except for one that only takes away: a person who has moved to another address is still
   * dismissed.
   */
  private async assertMayChange(directory: Directory, before: UserRecord, record: UserRecord): Promise<void> {
    const isNewAddress = documents.addressOf(record) !== documents.addressOf(before);
    if (isNewAddress || record.active) await this.provedAddress(directory, record);
  }

  /**
   * Carries a new name and address over to an account that the organization made, while the address of the account lies
   * in its domains; not to one that was closed, nor to that of an administrator of the service, which whoever receives
   * mails to the new address could take over.
   */
  private async follow(directory: Directory, userId: string, before: UserRecord, record: UserRecord): Promise<void> {
    if (!(await this.organizationAccounts.isMadeBy(userId, directory.organizationId))) return;
    const account = await this.accounts.lockForDirectory(userId);
    if (account === undefined || account.isAdmin || account.status === 'inactive') return;
    if (!(await this.isSpokenFor(directory, account.email))) return;
    const [name, email] = [documents.accountNameOf(record), documents.addressOf(record)];
    const changes = {
      ...(name !== documents.accountNameOf(before) && { name }),
      ...(email !== documents.addressOf(before) && { email }),
    };
    if (Object.keys(changes).length > 0) await this.usersService.changeByDirectory(directory, userId, changes);
  }

  private async createAccount(directory: Directory, email: string, record: UserRecord): Promise<DirectoryAccount> {
    const created = await this.userCreation.create(directory, { email, name: documents.accountNameOf(record) });
    const { id } = created.read(userView);
    await this.organizationAccounts.record(id, directory.organizationId);
    return this.accountOf(id);
  }

  /** The address of the account; 403 if it lies in no domain for which the organization speaks. */
  private async provedAddress(directory: Directory, record: UserRecord): Promise<string> {
    const address = documents.addressOf(record);
    if (address === undefined) throw invalid('invalidValue', 'emails or userName must contain an e-mail address.');
    if (await this.isSpokenFor(directory, address)) return address;
    throw forbidden(
      'an address in a proved domain of the organization',
      'A directory speaks only for people with addresses in the proved domains of its organization.',
    );
  }

  /** Whether the address lies in a proved domain of the organization. */
  private async isSpokenFor({ organizationId }: Directory, address: string): Promise<boolean> {
    return (await this.domains.proverOf(domainOf(address))) === organizationId;
  }

  private async accountOf(id: string): Promise<DirectoryAccount> {
    const account = await this.accounts.knownToDirectory(id);
    if (account === undefined) throw notFound();
    return account;
  }

  private async find({ organizationId }: Directory, id: string): Promise<ScimUser> {
    const user = await this.users.find(organizationId, id);
    if (user === undefined) throw notFound();
    return user;
  }

  private async findMatching(directory: Directory, id: string, ifMatch?: string): Promise<ScimUser> {
    const user = await this.find(directory, id);
    assertVersion(documents.versionOf(user), ifMatch);
    return user;
  }

  private async tagged(directory: Directory, user: ScimUser): Promise<Tagged> {
    const openWork = user.active ? [] : await this.openWorkOf(directory, user.userId);
    const document = documents.userDocument(user, this.addressOf(directory), openWork);
    return { document, version: documents.versionOf(user) };
  }

  /** The open work that stays assigned to a dismissed person. */
  private async openWorkOf({ organizationId }: Directory, userId: string): Promise<documents.OpenWorkReference[]> {
    const { resourceId } = await this.accountOf(userId);
    const open = await this.reassignments.openIn(organizationId, resourceId, MAX_OPEN_WORK);
    return open.map(({ id, type }) => ({ value: id, type }));
  }

  private addressOf({ organizationId }: Directory): string {
    return `${serviceAddress(this.settings)}/scim/v2/${organizationId}/Users`;
  }
}

/** 409 for an account that was closed. */
function assertOpen({ status }: DirectoryAccount): void {
  if (status === 'inactive') throw taken('The account with this address was closed.');
}

const userNameTaken = () => taken('Another person of the organization has this userName.');
