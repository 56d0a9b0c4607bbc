import { Injectable } from '@nestjs/common';
import { homeOfEndeavour } from '../../access/visibility/containers.view.js';
import { endedOrLoweredSince } from '../../access/memberships/former-members.js';
import { ApiError, conflict } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { driverError } from '../../platform/database/connections/driver-errors.js';
import { oneAsJson, Representation, type FieldNames, type Json } from '../../platform/database/views/view.js';
import type { CreateInvitationDto } from './invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { isFor, managedBy } from './invitation.list.js';
import { kindOfferedBy } from './invitation.rules.js';
import { invitationView } from './invitation.view.js';

const MUTED_DAYS = 30;
const OPEN_INDEXES = [
  'invitations_open_organization_idx',
  'invitations_open_endeavour_idx',
  'invitations_open_account_idx',
];

/** The organization and endeavour of an invitation. */
type InvitationContainers = Pick<Invitation, 'organizationId' | 'endeavourId'>;

/** The invited person; without an account, only the e-mail address is known. */
export interface Invitee {
  id: string | null;
  email: string;
  /** Null for a person without an account. */
  lang: string | null;
}

/** The user who reads or changes invitations; administrators have access to all of them. */
interface Reader {
  userId: string;
  isAdmin: boolean;
}

/** SQL: whether an invitation can be used now, by the database's clock. */
const USABLE = 'uses < max_uses AND refused_at IS NULL AND expires_at > clock_timestamp()';

/** SQL: whether `i` is the invitation `$2` and the user `$1` can change it; `$3` is whether the user is administrator. */
const MANAGED = `i.id = $2 AND i.deleted_at IS NULL AND ($3 OR ${managedBy('$1')})`;

/** The error for a second open invitation of one invitee to one container. */
export const alreadyInvited = (): ApiError =>
  conflict('already_invited', 'An open invitation for this person already exists.');

/** Reads and writes invitations. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  /** Returns an invitation that the user can change or that is for the user. */
  async read({ userId, isAdmin }: Reader, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const where = `i.id = $2 AND i.deleted_at IS NULL AND ($3 OR ${managedBy('$1')} OR ${isFor('$1')})`;
    const row = await this.database.queryPipelined<Json>(oneAsJson(invitationView, where, fields), [
      userId,
      id,
      isAdmin,
    ]);
    return row && Representation.of(row);
  }

  /** Locks an invitation that the user can change. */
  lockManaged({ userId, isAdmin }: Reader, id: string): Promise<Invitation | undefined> {
    return this.lock(MANAGED, [userId, id, isAdmin]);
  }

  /** Locks an invitation for the user, in any state. */
  lockOwn(userId: string, id: string): Promise<Invitation | undefined> {
    return this.lock(`i.id = $2 AND i.deleted_at IS NULL AND ${isFor('$1')}`, [userId, id]);
  }

  /** Locks the invitation with that token. */
  lockByToken(hash: string): Promise<Invitation | undefined> {
    return this.lock('i.token_hash = $1 AND i.deleted_at IS NULL', [hash]);
  }

  /**
   * How many times a person with that e-mail address and without an account can use the token now. The offer of a link is for
   * people who have an organization, and creates no account.
   */
  async usesLeftFor(email: string, hash: string): Promise<number> {
    const row = await this.database.one<{ left: number }>(
      `SELECT max_uses - uses AS left FROM invitations WHERE token_hash = $1 AND deleted_at IS NULL AND ${USABLE}
         AND kind = 'roles' AND user_id IS NULL AND (email IS NULL OR email = $2)`,
      [hash, email],
    );
    return row?.left ?? 0;
  }

  /** Whether a locked invitation can be accepted or refused now. */
  async isUsable({ id }: Invitation): Promise<boolean> {
    return (await this.database.query(`SELECT 1 FROM invitations WHERE id = $1 AND ${USABLE}`, [id])).length > 0;
  }

  /** Whether the user has refused an invitation to one of the containers within the last 30 days. */
  async hasRefused(userId: string | null, { organizationId, endeavourId }: InvitationContainers): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM invitations
       WHERE refused_by = $1 AND refused_at > clock_timestamp() - make_interval(days => $4)
         AND (organization_id = $2 OR endeavour_id = $3) LIMIT 1`,
      [userId, organizationId, endeavourId, MUTED_DAYS],
    );
    return rows.length > 0;
  }

  /**
   * Whether the invitation is for a person from outside of the home organization of the endeavour, and the inviter does
   * not own that organization. An e-mail address is not looked up, so that it does not reveal a membership.
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

  /** Whether the invitee has an open invitation of that kind to one of the containers, or to none. */
  async isInvited(dto: CreateInvitationDto): Promise<boolean> {
    const { email, user_id, organization_id, endeavour_id } = dto;
    const rows = await this.database.query(
      `SELECT 1 FROM invitations
       WHERE invitee = $1 AND kind = $4 AND is_open AND expires_at > clock_timestamp()
         AND (organization_id = $2 OR endeavour_id = $3
           OR coalesce($2, $3, organization_id, endeavour_id) IS NULL) LIMIT 1`,
      [email ?? user_id ?? null, organization_id ?? null, endeavour_id ?? null, kindOfferedBy(dto)],
    );
    return rows.length > 0;
  }

  /** 409 `already_invited` if the write would open a second invitation for the same invitee and container. */
  async assertOnlyOne<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      if (!OPEN_INDEXES.includes(driverError(error)?.constraint ?? '')) throw error;
      throw alreadyInvited();
    }
  }

  /**
   * Whether a membership of the user in one of the containers, or in the home, ended or lost rights after the invitation was
   * created.
   */
  async hasLostRightsSince(userId: string, { organizationId, endeavourId, createdAt }: Invitation): Promise<boolean> {
    const containers = { organization: '$2::text', endeavour: '$3::text' };
    const rows = await this.database.query(
      `SELECT 1 WHERE ${endedOrLoweredSince('$1', containers, '$4::timestamptz')}`,
      [userId, organizationId, endeavourId, createdAt],
    );
    return rows.length > 0;
  }

  /** Returns the direct roles of the user in both containers; null without a role. */
  async rolesOf(
    userId: string,
    { organizationId, endeavourId }: InvitationContainers,
  ): Promise<{ organization: string | null; endeavour: string | null }> {
    const row = await this.database.one<{ organization: string | null; endeavour: string | null }>(
      `SELECT (SELECT role FROM organization_resources WHERE organization_id = $2 AND user_id = $1) AS organization,
         (SELECT role FROM endeavour_members WHERE endeavour_id = $3 AND user_id = $1) AS endeavour`,
      [userId, organizationId, endeavourId],
    );
    return row ?? { organization: null, endeavour: null };
  }

  /** Records that the user has accepted the invitation; false if this was already recorded. */
  async recordAcceptance(invitationId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO invitation_acceptances (invitation_id, user_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [invitationId, userId],
    );
    return rows.length > 0;
  }

  /** Runs `work` in a savepoint; an `ApiError` rolls it back, so that the transaction can continue. */
  async inSavepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.database.query('SAVEPOINT acceptance');
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) await this.database.query('ROLLBACK TO SAVEPOINT acceptance');
      throw error;
    }
  }

  /** Ends the invitations for a person and removes the personal data in them. */
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
    const row = await this.database.one<{ id: string }>(
      `SELECT i.id FROM invitations i WHERE ${where} FOR NO KEY UPDATE OF i`,
      parameters,
    );
    return row && this.database.row(Invitation, row.id);
  }
}
