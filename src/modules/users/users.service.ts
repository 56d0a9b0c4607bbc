import { Injectable } from '@nestjs/common';
import { Access, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import { Sessions } from '../../access/sessions.js';
import { fromWire } from '../../common/case.js';
import { conflict, forbidden } from '../../common/errors.js';
import type { EndeavourRole } from '../../common/roles.js';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { ResourcesService } from '../resources/resources.service.js';
import { Addresses } from './addresses.js';
import { Enrollment } from './enrollment.js';
import { assertGoodPassword } from './password.rules.js';
import { Passwords } from './passwords.js';
import type { AddUserToEndeavourDto, CreateUserDto, UpdateUserDto } from './user.dto.js';
import { userDetailView } from './user-detail.view.js';
import { User } from './user.entity.js';
import { userList } from './user.list.js';
import { userView } from './user.view.js';

/** What everybody may change of themselves; the rest is for administrators. */
const OWN: readonly (keyof UpdateUserDto)[] = ['name', 'lang', 'timezone', 'email_copy'];

/** A role that somebody was given in an endeavour. */
export interface EndeavourRoleGiven {
  user_id: string;
  endeavour_id: string;
  role: EndeavourRole;
  stakeholder_roles: string[];
}

/** Those who can sign in, and what they are. */
@Injectable()
export class UsersService {
  constructor(
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly database: Database,
    private readonly enrollment: Enrollment,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly outbox: Outbox,
    private readonly passwords: Passwords,
    private readonly resources: ResourcesService,
    private readonly sessions: Sessions,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, userList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, userDetailView, id);
  }

  async create(me: Caller, { password, ...dto }: CreateUserDto): Promise<Representation> {
    if (password !== undefined) assertGoodPassword('password', password, dto);
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    await this.addresses.assertFree(dto.email);
    const made = await this.enrollment.enroll(me, { ...fromWire(dto), passwordHash });
    if (password === undefined) {
      const { email, lang = 'en' } = dto;
      await this.outbox.send({ kind: 'password_reset', to: email, lang, data: { email } });
    }
    return made;
  }

  async update(me: Caller, id: string, dto: UpdateUserDto): Promise<Representation> {
    if (dto.status !== undefined || dto.is_admin !== undefined) await this.lockAdministrators();
    const opened = await this.access.open(me, 'users_update', User, id);
    assertMayChange(me, opened, dto);
    const { row } = opened;
    if (dto.email !== undefined) await this.addresses.assertFree(dto.email, row.id);
    this.access.ready(opened);
    await this.assertAdministratorStays(row, dto);
    const { metadata, ...sent } = dto;
    return this.change(me, row, { ...fromWire(sent), metadata: mergeMetadata(row.metadata, metadata) });
  }

  /** Changes of somebody's own, or from outside the service; whoever calls this has made sure that they are allowed. */
  async changeSelf(id: string, changes: Partial<User>): Promise<Representation> {
    const row = await this.database.row(User, id, { locked: true });
    return this.change({ userId: row.id, resourceId: row.resourceId, name: row.name }, row, changes);
  }

  async addToEndeavour(me: Caller, id: string, dto: AddUserToEndeavourDto): Promise<EndeavourRoleGiven> {
    await this.access.at(me, 'users_add_endeavour', id);
    const { endeavour_id, role, stakeholder_roles: stakeholderRoles } = dto;
    await this.access.named(me, 'endeavours_members_add', 'endeavour_id', endeavour_id, 'endeavour');
    const member = await this.memberships.person(me, 'id', id);
    const given = await this.memberships.grantEndeavour(me, endeavour_id, member, { role, stakeholderRoles });
    return { user_id: id, endeavour_id, role: given.role, stakeholder_roles: given.stakeholderRoles };
  }

  /** Writes changes that are allowed already, with what follows from them. */
  private async change(actor: Actor, row: User, changes: Partial<User>): Promise<Representation> {
    const { name, email, status, userType } = changes;
    if (email !== undefined) await this.addresses.tellOldOne(row, email);
    await this.resources.follow(actor, row.resourceId, { name, type: userType });
    if (status !== undefined && status !== 'active') await this.sessions.endAll(row.id);
    const written = this.writes.patch(actor, userView, User, {
      current: row,
      changes,
      place: { ownerUserId: row.id },
      pointer: { title: name },
    });
    return this.addresses.taken(written);
  }

  /** One at a time, or two administrators demote each other at once. */
  private async lockAdministrators(): Promise<void> {
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended('administrators', 3))`);
  }

  private async assertAdministratorStays(row: User, { status, is_admin }: UpdateUserDto): Promise<void> {
    const steps = (is_admin === false || (status !== undefined && status !== 'active')) && isAdministrator(row);
    if (!steps) return;
    const [other] = await this.database.query(
      `SELECT 1 FROM users WHERE is_admin AND status = 'active' AND id <> $1 LIMIT 1`,
      [row.id],
    );
    if (other === undefined) throw conflict('last_admin', 'The last active administrator must stay one.');
  }
}

const isAdministrator = ({ isAdmin, status }: User): boolean => isAdmin && status === 'active';

function assertMayChange(me: Caller, { id }: Opened<User>, dto: UpdateUserDto): void {
  if (me.isAdmin) return;
  const isOwn = Object.keys(dto).every((field) => OWN.includes(field as keyof UpdateUserDto));
  if (id !== me.userId || !isOwn) throw forbidden('an administrator');
}
