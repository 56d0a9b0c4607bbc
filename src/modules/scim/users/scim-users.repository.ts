import { Injectable } from '@nestjs/common';
import { columnsSql, fromRow } from '../../../platform/database/columns/columns.js';
import { Database } from '../../../platform/database/database.js';
import { scimCondition } from '../protocol/scim-conditions.list.js';
import type { Paging } from '../protocol/scim-documents.js';
import { ScimUser } from './scim-user.entity.js';
import { FILTERABLE_USERS, isMember } from './scim-user.list.js';
import type { ScimFilter } from '../protocol/scim-filter.js';
import type { UserRecord } from './scim-user.document.js';

/** The state of a person in the organization that the directory keeps, besides what it says about the person. */
export type Standing = Pick<ScimUser, 'former' | 'isSuspended'>;

/** Reads and writes what directories say about people. */
@Injectable()
export class ScimUsersRepository {
  constructor(private readonly database: Database) {}

  /** The person, with whether the membership exists as `active`; undefined for one that was deleted or never was. */
  async find(organizationId: string, userId: string): Promise<ScimUser | undefined> {
    const row = await this.database.one(
      `SELECT ${this.columns} FROM scim_users s
       WHERE s.organization_id = $1 AND s.user_id = $2 AND s.deleted_at IS NULL`,
      [organizationId, userId],
    );
    return row && this.userIn(row);
  }

  /** Also the remains of a person whom the directory has deleted. */
  async remains(organizationId: string, userId: string): Promise<ScimUser | undefined> {
    const row = await this.database.one(
      `SELECT ${this.columns} FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = $2`,
      [organizationId, userId],
    );
    return row && this.userIn(row);
  }

  /** Whether another person in the organization has the user name. */
  async isNameTaken(organizationId: string, userName: string, exceptUserId: string | null = null): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM scim_users s WHERE s.organization_id = $1 AND lower(s.user_name) = lower($2)
         AND s.user_id IS DISTINCT FROM $3`,
      [organizationId, userName, exceptUserId],
    );
    return rows.length > 0;
  }

  /** A page of the people who meet the filter, in the order in which they were added, and the number of all of them. */
  async page(
    organizationId: string,
    filter: ScimFilter | undefined,
    { startIndex, count }: Paging,
  ): Promise<{ total: number; users: ScimUser[] }> {
    const parameters: unknown[] = [organizationId];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const condition = filter === undefined ? 'true' : scimCondition(filter, FILTERABLE_USERS, bind);
    const where = `s.organization_id = $1 AND s.deleted_at IS NULL AND ${condition}`;
    const [counted] = await this.database.query<{ total: number }>(
      `SELECT count(*)::integer AS total FROM scim_users s WHERE ${where}`,
      parameters,
    );
    if (count === 0) return { total: counted.total, users: [] };
    const rows = await this.database.query(
      `SELECT ${this.columns} FROM scim_users s WHERE ${where}
       ORDER BY s.created_at, s.user_id OFFSET ${bind(startIndex - 1)} LIMIT ${bind(count)}`,
      parameters,
    );
    return { total: counted.total, users: rows.map((row) => this.userIn(row)) };
  }

  /** Stores a person whom the directory adds, also again. */
  async insert(organizationId: string, userId: string, record: UserRecord): Promise<void> {
    await this.database.query(
      `INSERT INTO scim_users (organization_id, user_id, user_name, external_id, display_name, name, emails, active)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (organization_id, user_id) DO UPDATE SET user_name = excluded.user_name,
         external_id = excluded.external_id, display_name = excluded.display_name, name = excluded.name,
         emails = excluded.emails, active = excluded.active, deleted_at = NULL, created_at = now(),
         updated_at = clock_timestamp(), revision = scim_users.revision + 1`,
      [organizationId, userId, ...valuesOf(record)],
    );
  }

  /** A person whose membership ended by hand stays one whom the directory calls active, until it says otherwise. */
  async update(organizationId: string, userId: string, record: UserRecord, isSwitched: boolean): Promise<void> {
    await this.database.query(
      `UPDATE scim_users SET user_name = $3, external_id = $4, display_name = $5, name = $6, emails = $7,
         active = CASE WHEN $9 THEN $8::boolean ELSE active END,
         updated_at = clock_timestamp(), revision = revision + 1
       WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId, ...valuesOf(record), isSwitched],
    );
  }

  /** Stores what the directory has ended, so that it can be given back. */
  async keepStanding(organizationId: string, userId: string, { former, isSuspended }: Standing): Promise<void> {
    await this.database.query(
      `UPDATE scim_users SET former = $3, is_suspended = $4 WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId, former === null ? null : JSON.stringify(former), isSuspended],
    );
  }

  /** Clears the mark of a suspension by a directory, because a person sets the status of the account now. */
  async forgetSuspension(userId: string): Promise<void> {
    await this.database.query('UPDATE scim_users SET is_suspended = false WHERE user_id = $1 AND is_suspended', [
      userId,
    ]);
  }

  /** Forgets what the directory has said about the person, except that it has dismissed the person. */
  async remove(organizationId: string, userId: string): Promise<void> {
    await this.database.query(
      `UPDATE scim_users SET user_name = NULL, external_id = NULL, display_name = NULL, name = '{}', emails = '[]',
         active = false, deleted_at = clock_timestamp(), updated_at = clock_timestamp(), revision = revision + 1
       WHERE organization_id = $1 AND user_id = $2`,
      [organizationId, userId],
    );
  }

  /** Whether the directory of the organization has dismissed the person. */
  async isDismissed(organizationId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = $2 AND NOT s.active',
      [organizationId, userId],
    );
    return rows.length > 0;
  }

  private userIn(row: Record<string, unknown>): ScimUser {
    const user = fromRow(this.database.source, ScimUser, row);
    return Object.assign(user, { active: row.is_active === true });
  }

  private get columns(): string {
    return `${columnsSql(this.database.source, ScimUser, 's')}, s.active AND ${isMember('s')} AS is_active`;
  }
}

const valuesOf = ({ userName, externalId, displayName, name, emails, active }: UserRecord): unknown[] => [
  userName,
  externalId,
  displayName,
  JSON.stringify(name),
  JSON.stringify(emails),
  active,
];
