import { Injectable } from '@nestjs/common';
import { typeOfResource } from '../../access/people.view.js';
import { homeOfEndeavour } from '../../access/containers.view.js';
import { leftSince } from '../../access/former-members.js';
import { ApiError, conflict } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { driverError } from '../../platform/database/driver-errors.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/view.js';
import type { CreateInvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { isFor, managedBy } from './invitation.list.js';
import { invitationView } from './invitation.view.js';

const SILENCE_DAYS = 30;
const OPEN_INDEXES = [
  'invitations_open_organization_idx',
  'invitations_open_endeavour_idx',
  'invitations_open_account_idx',
];

/** Where an invitation leads. */
export type InvitationPlace = Pick<Invitation, 'organizationId' | 'endeavourId'>;

/** The invited person, as far as known. */
export interface Invitee {
  id: string | null;
  email: string;
  /** Null for a person without an account. */
  lang: string | null;
}

/** Who reads or changes: administrators see every invitation. */
interface Reader {
  userId: string;
  isAdmin: boolean;
}

/** By the database's clock. */
const USABLE = 'uses < max_uses AND refused_at IS NULL AND expires_at > clock_timestamp()';

/** What `i` must meet to be changed by that reader; uses `$1` (the reader) and `$3` (whether administrator). */
const MANAGED = `i.id = $2 AND i.deleted_at IS NULL AND ($3 OR ${managedBy('$1')})`;

/** Reads and writes invitations. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  /** For those who may invite there, and for the invited person. */
  async read({ userId, isAdmin }: Reader, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `i.id = $2 AND i.deleted_at IS NULL AND ($3 OR ${managedBy('$1')} OR ${isFor('$1')})`;
    const row = await this.database.queryPipelined<Json>(oneAsJson(invitationView, where, fields), [
      userId,
      id,
      isAdmin,
    ]);
    return row && Representation.of(row);
  }

  /** Locks an invitation for those who may invite there. */
  lockManaged({ userId, isAdmin }: Reader, id: string): Promise<Invitation | undefined> {
    return this.lock(MANAGED, [userId, id, isAdmin]);
  }

  /** Locks an invitation to the user, in any state. */
  lockOwn(userId: string, id: string): Promise<Invitation | undefined> {
    return this.lock(`i.id = $2 AND i.deleted_at IS NULL AND ${isFor('$1')}`, [userId, id]);
  }

  /** Locks the invitation with that token. */
  lockByToken(hash: string): Promise<Invitation | undefined> {
    return this.lock('i.token_hash = $1 AND i.deleted_at IS NULL', [hash]);
  }

  /** Whether a person with that address and without an account could use the token now. */
  async isUsableBy(email: string, hash: string): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM invitations WHERE token_hash = $1 AND deleted_at IS NULL AND ${USABLE}
         AND user_id IS NULL AND (email IS NULL OR email = $2)`,
      [hash, email],
    );
    return rows.length > 0;
  }

  /** Whether a locked invitation can be accepted or refused now. */
  async isUsable({ id }: Invitation): Promise<boolean> {
    return (await this.database.query(`SELECT 1 FROM invitations WHERE id = $1 AND ${USABLE}`, [id])).length > 0;
  }

  /** Whether that user refused an invitation to that container within the muted period. */
  async hasRefused(userId: string | null, { organizationId, endeavourId }: InvitationPlace): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM invitations
       WHERE refused_by = $1 AND refused_at > clock_timestamp() - make_interval(days => $4)
         AND (organization_id = $2 OR endeavour_id = $3) LIMIT 1`,
      [userId, organizationId, endeavourId, SILENCE_DAYS],
    );
    return rows.length > 0;
  }

  /**
   * Whether the invitation brings a person from outside the home organization into the endeavour, for an inviter who
   * does not own that organization. An e-mail address is not looked up, so that its owner is not revealed.
   */
  async bringsOutsider(
    inviterId: string,
    {
      endeavour_id,
      organization_id,
      user_id,
    }: Pick<CreateInvitationDto, 'endeavour_id' | 'organization_id' | 'user_id'>,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM (SELECT ${homeOfEndeavour('$1')} AS id) home
       WHERE home.id IS NOT NULL AND home.id IS DISTINCT FROM $2
         AND NOT EXISTS (SELECT 1 FROM organization_resources own
           WHERE own.organization_id = home.id
             AND ((own.user_id = $3 AND own.role = 'owner') OR own.user_id = $4))`,
      [endeavour_id ?? null, organization_id ?? null, inviterId, user_id ?? null],
    );
    return rows.length > 0;
  }

  /** Closes expired invitations, so that they do not conflict with a new one. */
  async closeExpired(invitee: string, exceptId: string): Promise<void> {
    await this.database.query(
      `UPDATE invitations SET is_open = false
       WHERE invitee = $1 AND is_open AND expires_at <= clock_timestamp() AND id <> $2`,
      [invitee, exceptId],
    );
  }

  /** A second open invitation of the same invitee to the same place is a conflict. */
  async assertOnlyOne<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      if (!OPEN_INDEXES.includes(driverError(error)?.constraint ?? '')) throw error;
      throw conflict('already_invited', 'An open invitation for this person already exists.');
    }
  }

  /** Whether the user was a member of the container, or of the home of the endeavour, and left since. */
  async hasLeftSince(userId: string, { organizationId, endeavourId, createdAt }: Invitation): Promise<boolean> {
    const containers = { organization: '$2::text', endeavour: '$3::text' };
    const rows = await this.database.query(`SELECT 1 WHERE ${leftSince('$1', containers, '$4::timestamptz')}`, [
      userId,
      organizationId,
      endeavourId,
      createdAt,
    ]);
    return rows.length > 0;
  }

  /** The direct roles of the user in both containers, null if there is none. */
  async rolesOf(
    userId: string,
    { organizationId, endeavourId }: InvitationPlace,
  ): Promise<{ organization: string | null; endeavour: string | null }> {
    const row = await this.database.one<{ organization: string | null; endeavour: string | null }>(
      `SELECT (SELECT role FROM organization_resources WHERE organization_id = $2 AND user_id = $1) AS organization,
         (SELECT role FROM endeavour_members WHERE endeavour_id = $3 AND user_id = $1) AS endeavour`,
      [userId, organizationId, endeavourId],
    );
    return row ?? { organization: null, endeavour: null };
  }

  /** Records that the user accepted the invitation; false if this was recorded before. */
  async keepAcceptance(invitationId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO invitation_acceptances (invitation_id, user_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [invitationId, userId],
    );
    return rows.length > 0;
  }

  /** The type of the resource that accepts. */
  async typeOf(resourceId: string): Promise<string | undefined> {
    const row = await this.database.one<{ type: string | null }>(`SELECT ${typeOfResource('$1')} AS type`, [
      resourceId,
    ]);
    return row?.type ?? undefined;
  }

  /** Rolls the work back if it is refused, and lets the transaction continue. */
  async inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.database.query('SAVEPOINT acceptance');
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) await this.database.query('ROLLBACK TO SAVEPOINT acceptance');
      throw error;
    }
  }

  /** Ends the invitations of a person and removes their personal data. */
  async anonymize(userId: string, email: string): Promise<void> {
    await this.database.query(
      `UPDATE entities SET deleted_at = coalesce(deleted_at, now()), title = 'Invitation'
       WHERE id IN (SELECT i.id FROM invitations i WHERE i.invitee IN ($1, $2))`,
      [userId, email],
    );
    await this.database.query(
      `UPDATE invitations SET email = NULL, user_id = NULL, invitee = NULL, is_open = false,
         deleted_at = coalesce(deleted_at, now()) WHERE invitee IN ($1, $2)`,
      [userId, email],
    );
  }

  private async lock(where: string, parameters: unknown[]): Promise<Invitation | undefined> {
    const found = await this.database.one<{ id: string }>(
      `SELECT i.id FROM invitations i WHERE ${where} FOR NO KEY UPDATE OF i`,
      parameters,
    );
    return found && this.database.row(Invitation, found.id);
  }
}
