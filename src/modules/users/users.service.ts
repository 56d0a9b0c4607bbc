import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import { isByToken, type Caller } from '../../access/authentication/caller.js';
import { sessionRequired } from '../../access/operations/scopes.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { fromWire } from '../../common/texts/case.js';
import { conflict, administratorRequired } from '../../common/errors.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { TokensService } from '../tokens/tokens.service.js';
import { ResourcesService } from '../resources/resources.service.js';
import { EmailUniqueness } from './email-uniqueness.js';
import { UserCreation } from './user-creation.js';
import { assertGoodPassword } from './password.rules.js';
import { Passwords } from './passwords.js';
import { Promotions } from './promotions.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import { userDetailView } from './user-detail.view.js';
import { User } from './user.entity.js';
import { userList } from './user.list.js';
import { userView } from './user.view.js';
import { UsersRepository } from './users.repository.js';

/** The fields that users may change themselves; the others are for administrators. */
const OWN: readonly (keyof UpdateUserDto)[] = ['name', 'lang', 'timezone', 'email_copy'];

const DELETED_NAME = 'Deleted user';

/** The remaining values of an erased account. */
const ERASED: Partial<User> = {
  name: DELETED_NAME,
  passwordHash: null,
  status: 'inactive',
  lang: 'en',
  timezone: 'UTC',
  emailCopy: false,
  isAdmin: false,
  externalId: null,
  loginCount: 0,
  lastActiveAt: null,
  metadata: {},
  erasureAt: null,
  closedBy: null,
};

/** Called when the status of the user is set, in the same transaction. */
type StatusObserver = (userId: string) => Promise<void>;

/** Manages accounts. */
@Injectable()
export class UsersService {
  private readonly statusObservers: StatusObserver[] = [];

  constructor(
    private readonly access: Access,
    private readonly emailUniqueness: EmailUniqueness,
    private readonly database: Database,
    private readonly userCreation: UserCreation,
    private readonly listing: Listing,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly promotions: Promotions,
    private readonly resources: ResourcesService,
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
    private readonly users: UsersRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Registers a feature that remembers why an account has its status. */
  observeStatus(observer: StatusObserver): void {
    this.statusObservers.push(observer);
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, userList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, userDetailView, id, { fields });
  }

  async create(me: Caller, { password, ...dto }: CreateUserDto): Promise<Representation> {
    if (password !== undefined) assertGoodPassword('password', password, dto);
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    await this.emailUniqueness.assertFree(dto.email);
    const created = await this.userCreation.create(me, { ...fromWire(dto), passwordHash });
    if (password === undefined) {
      const { email, lang = 'en' } = dto;
      await this.outbox.send({ kind: 'password_reset', to: email, lang, data: { email } });
    }
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateUserDto): Promise<Representation> {
    // With either change, a stolen token could be used to take over an account.
    if (isByToken(me) && (dto.is_admin !== undefined || dto.email !== undefined)) throw sessionRequired();
    if (dto.status !== undefined || dto.is_admin !== undefined) await this.users.lockAdministrators();
    const opened = await this.access.lockForUpdate(me, 'users_update', User, id);
    assertMayChange(me, opened, dto);
    const { row } = opened;
    if (dto.email !== undefined) await this.emailUniqueness.assertFree(dto.email, row.id);
    this.access.assertWritable(opened);
    assertFitsAgent(row, dto);
    await this.assertAdministratorStays(row, dto);
    return this.change(me, row, mergedChanges(row, dto));
  }

  /** The language and time zone of a user, the defaults of what the user creates. */
  async localeOf(id: string): Promise<Pick<User, 'lang' | 'timezone'>> {
    const { lang, timezone } = await this.database.row(User, id);
    return { lang, timezone };
  }

  /** Applies changes by the user or from the command line, without a permission check. */
  async changeSelf(id: string, changes: Partial<User>): Promise<Representation> {
    const row = await this.database.row(User, id, { locked: true });
    return this.change({ userId: row.id, resourceId: row.resourceId, name: row.name }, row, changes);
  }

  /** Applies changes of the `admin` command; 409 `last_admin` for the last administrator. */
  async changeByOperator(id: string, changes: Pick<UpdateUserDto, 'is_admin' | 'status'>): Promise<void> {
    await this.users.lockAdministrators();
    const row = await this.database.row(User, id, { locked: true });
    await this.assertAdministratorStays(row, changes);
    await this.change({ userId: row.id, resourceId: row.resourceId, name: row.name }, row, fromWire(changes));
  }

  /** Locks a user whom an administrator deletes; 404 or 412. */
  async lockForDeletion(me: Caller, id: string): Promise<void> {
    this.access.assertIfMatch(await this.access.lockForUpdate(me, 'users_delete', User, id));
  }

  /** Closes an account until it is erased; 409 `last_admin` for the last administrator. */
  async close(actor: Actor, id: string, erasureAt: Date): Promise<void> {
    await this.users.lockAdministrators();
    const row = await this.database.row(User, id, { locked: true });
    await this.assertAdministratorStays(row, { status: 'inactive' });
    await this.change(actor, row, { status: 'inactive', erasureAt, closedBy: actor.userId });
  }

  /**
   * Renames, pauses or resumes an agent, whose row the calling code has locked and authorized. What an administrator has
   * suspended or closed stays so; only administrators can resume it.
   */
  async changeAgent(
    me: Caller,
    id: string,
    { name, status }: { name?: string; status?: 'active' | 'inactive' },
  ): Promise<void> {
    const row = await this.database.row(User, id, { locked: true });
    this.access.assertIfMatch({ row });
    const isStopped = row.status === 'suspended' || row.closedBy !== null;
    if (isStopped && status === 'active' && !me.isAdmin) {
      throw conflict('suspended', 'An administrator has suspended this agent; only administrators can resume it.');
    }
    await this.change(me, row, isStopped && status === 'inactive' ? { name } : { name, status });
  }

  /** Deletes an agent except for its name, and returns its resource. */
  async closeAgent(me: Caller, id: string): Promise<string> {
    const row = await this.database.row(User, id, { locked: true });
    this.access.assertIfMatch({ row });
    await this.change(me, row, { status: 'inactive', erasedAt: new Date() });
    return row.resourceId;
  }

  /**
   * Applies changes by the directory of the organization that made the account, without a permission check; both addresses
   * get a mail about a new one. 409 if another account has it.
   */
  async changeByDirectory(
    directory: Actor,
    id: string,
    changes: Partial<Pick<User, 'name' | 'email' | 'status'>>,
  ): Promise<void> {
    const row = await this.database.row(User, id, { locked: true });
    const { email } = changes;
    if (email !== undefined && email !== row.email) {
      await this.emailUniqueness.assertFree(email, id);
      await this.emailUniqueness.notifyNewAddress(row, email);
    }
    await this.change(directory, row, changes);
  }

  /** Reopens an account that its user has closed; has no effect if it has been erased. */
  async reopen(id: string): Promise<void> {
    const row = await this.database.row(User, id, { locked: true });
    if (row.status !== 'inactive' || row.closedBy !== id || row.erasedAt !== null) return;
    await this.change({ userId: id, resourceId: row.resourceId, name: row.name }, row, { status: 'active' });
  }

  /** Removes personal data from the account and its resource. The user's contributions are kept without a name. */
  async erase(id: string): Promise<{ resourceId: string; email: string; name: string }> {
    const row = await this.database.row(User, id, { locked: true });
    const { resourceId, email, name } = row;
    await this.resources.erase(resourceId, DELETED_NAME);
    const changes = { ...ERASED, email: `${id}@deleted.invalid`, erasedAt: new Date() };
    await this.writer.remove(null, userView, User, row, { ownerUserId: id }, changes, DELETED_NAME);
    return { resourceId, email, name };
  }

  /** Applies authorized changes and their effects on the resource, sessions and tokens. */
  private async change(actor: Actor, row: User, changes: Partial<User>): Promise<Representation> {
    const { name, email, status, userType } = changes;
    if (email !== undefined) await this.emailUniqueness.notifyFormerAddress(row, email);
    await this.resources.updateForUser(actor, row.resourceId, { name, type: userType });
    if (status !== undefined && status !== 'active') await this.sessions.endAll(row.id);
    if (status === 'suspended') await this.tokens.endAll(actor, row.id);
    if (changes.isAdmin === true && !row.isAdmin) await this.promotions.secure(actor, row.id);
    if (status === 'active') Object.assign(changes, { erasureAt: null, closedBy: null });
    if (status !== undefined) for (const observe of this.statusObservers) await observe(row.id);
    const written = this.writer.patch(actor, userView, User, {
      current: row,
      changes,
      place: { ownerUserId: row.id },
      entityChanges: { title: name },
    });
    return this.emailUniqueness.translateConflict(written);
  }

  private async assertAdministratorStays(row: User, { status, is_admin }: UpdateUserDto): Promise<void> {
    const losesAdministrator =
      (is_admin === false || (status !== undefined && status !== 'active')) && isAdministrator(row);
    if (!losesAdministrator) return;
    if (await this.users.hasOtherActiveAdministrator(row.id)) return;
    throw conflict('last_admin', 'At least one active administrator must remain.');
  }
}

const isAdministrator = ({ isAdmin, status }: User): boolean => isAdmin && status === 'active';

function assertMayChange(me: Caller, { id }: LockedResource<User>, dto: UpdateUserDto): void {
  if (me.isAdmin) return;
  const isOwn = Object.keys(dto).every((field) => OWN.includes(field as keyof UpdateUserDto));
  if (id !== me.userId || !isOwn) throw administratorRequired();
}

/** Rejects changes that agents cannot have: the administrator role, an e-mail address, or another type. */
function assertFitsAgent({ isManaged }: User, { is_admin, email, email_copy, user_type }: UpdateUserDto): void {
  const isForPeople = is_admin === true || email !== undefined || email_copy === true || user_type === 'human';
  if (isManaged && isForPeople)
    throw conflict(
      'managed_agent',
      'This user is an agent: it has no password and authenticates with the access tokens of its manager.',
    );
}
