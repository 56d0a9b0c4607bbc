import { Injectable } from '@nestjs/common';
import { FEED_HEAD } from '../activity/feed/feed-head.view.js';
import { ACTIVE_USERS } from '../../access/visibility/people.view.js';
import { homeOfEndeavour, joinEndeavour } from '../../access/visibility/containers.view.js';
import { Database } from '../../platform/database/database.js';
import type { DisabledReason, Webhook } from './webhook.entity.js';
import type { SecretState } from './webhook-secrets.js';

const SECRET_STATE = `webhook_id AS "webhookId", secret_version AS "secretVersion", secret_rotated_at AS "secretRotatedAt"`;

/**
 * SQL: the reason for which the webhook `w` with the state `s` must be disabled, if any: its owner is no longer an
 * admin, or the home of its endeavour has changed.
 */
export const DISABLING_REASON = `CASE
  WHEN s.home_id IS NOT NULL AND s.home_id IS DISTINCT FROM ${homeOfEndeavour('w.endeavour_id')} THEN 'moved'
  WHEN NOT EXISTS (SELECT 1 FROM ${ACTIVE_USERS} AND u.resource_id = w.owner_id AND (u.is_admin
    OR EXISTS (SELECT 1 FROM organization_resources m
      WHERE m.organization_id = w.organization_id AND m.user_id = u.id AND role_rank(m.role) >= 3)
    OR EXISTS (SELECT 1 FROM endeavour_grants g
      WHERE g.endeavour_id = w.endeavour_id AND g.user_id = u.id AND g.rank >= 3))) THEN 'owner_left' END`;

/** Reads and writes webhooks and their states. */
@Injectable()
export class WebhooksRepository {
  constructor(private readonly database: Database) {}

  async count(containerId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM webhooks
       WHERE (organization_id = $1 OR endeavour_id = $1) AND deleted_at IS NULL`,
      [containerId],
    );
    return row?.count ?? 0;
  }

  /** Creates the state of a new webhook, which starts with the next event. */
  async addState(id: string): Promise<void> {
    await this.database.query('INSERT INTO webhook_states (webhook_id, since, verified_at) VALUES ($1, 0, NULL)', [id]);
    await this.restart(id);
  }

  /** Restarts the webhook with the next event. */
  async restart(id: string): Promise<void> {
    await this.database.query(
      `UPDATE webhook_states SET since = ${FEED_HEAD}, began_at = clock_timestamp(), is_slow = false, failures = 0, rest_until = NULL,
         failing_since = NULL WHERE webhook_id = $1`,
      [id],
    );
    await this.storeHome(id);
  }

  /** Requires a new test, because the webhook has another receiver. */
  async unverify(id: string): Promise<void> {
    await this.database.query('UPDATE webhook_states SET verified_at = NULL WHERE webhook_id = $1', [id]);
  }

  async isVerified(id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM webhook_states WHERE webhook_id = $1 AND verified_at IS NOT NULL';
    return (await this.database.one(sql, [id])) !== undefined;
  }

  /** Stores the current home of the endeavour. */
  async storeHome(id: string): Promise<void> {
    await this.database.query(
      `UPDATE webhook_states s SET home_id = ${homeOfEndeavour('w.endeavour_id')}
       FROM webhooks w WHERE w.id = s.webhook_id AND s.webhook_id = $1`,
      [id],
    );
  }

  /** Ends pending deliveries except tests. */
  async endPending(id: string, error: string): Promise<void> {
    await this.endWhere(id, error, 'sequence IS NOT NULL');
  }

  /** Ends all pending deliveries. */
  async endAll(id: string, error: string): Promise<void> {
    await this.endWhere(id, error, 'true');
  }

  private async endWhere(id: string, error: string, condition: string): Promise<void> {
    await this.database.query('SELECT 1 FROM webhook_states WHERE webhook_id = $1 FOR UPDATE', [id]);
    await this.database.query(
      `UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, finished_at = now(), error = $2
       WHERE webhook_id = $1 AND status = 'pending' AND ${condition}`,
      [id, error],
    );
  }

  async secretState(id: string): Promise<SecretState> {
    return this.only(`SELECT ${SECRET_STATE} FROM webhook_states WHERE webhook_id = $1`, [id]);
  }

  async rotate(id: string, now: Date): Promise<SecretState> {
    return this.only(
      `UPDATE webhook_states SET secret_version = secret_version + 1, secret_rotated_at = $2 WHERE webhook_id = $1
       RETURNING ${SECRET_STATE}`,
      [id, now],
    );
  }

  /** Locks an enabled webhook. */
  lockEnabled(id: string): Promise<Webhook | undefined> {
    return this.database.one<Webhook>(
      `SELECT w.id, w.revision, w.organization_id AS "organizationId", w.endeavour_id AS "endeavourId", w.url,
         w.is_enabled AS "isEnabled", w.disabled_reason AS "disabledReason"
       FROM webhooks w JOIN entities x ON x.id = w.id WHERE w.id = $1 AND w.is_enabled FOR NO KEY UPDATE OF w, x`,
      [id],
    );
  }

  async disablingReason(id: string): Promise<DisabledReason | null> {
    const row = await this.database.one<{ reason: DisabledReason | null }>(
      `SELECT ${DISABLING_REASON} AS reason FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id WHERE w.id = $1`,
      [id],
    );
    return row?.reason ?? null;
  }

  /** The ids of enabled webhooks that must be disabled. */
  async orphans(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT w.id FROM webhooks w JOIN webhook_states s ON s.webhook_id = w.id
       WHERE w.is_enabled AND ${DISABLING_REASON} IS NOT NULL ORDER BY w.id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Stores the home of endeavours that had none before, so that their webhooks are not disabled. */
  async storeFirstHomes(): Promise<void> {
    await this.database.query(
      `UPDATE webhook_states s SET home_id = e.organization_id
       FROM webhooks w ${joinEndeavour('e', 'w.endeavour_id')}
       WHERE w.id = s.webhook_id AND w.is_enabled AND s.home_id IS NULL AND e.organization_id IS NOT NULL`,
    );
  }

  /** The resource ids of the active admins of the container. */
  async adminsOf({ organizationId, endeavourId }: Pick<Webhook, 'organizationId' | 'endeavourId'>): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT u.resource_id AS id FROM ${ACTIVE_USERS} AND u.id IN (
         SELECT m.user_id FROM organization_resources m WHERE m.organization_id = $1 AND role_rank(m.role) >= 3
         UNION ALL SELECT g.user_id FROM endeavour_grants g WHERE g.endeavour_id = $2 AND g.rank >= 3) ORDER BY 1`,
      [organizationId, endeavourId],
    );
    return rows.map(({ id }) => id);
  }

  private async only<R>(sql: string, parameters: unknown[]): Promise<R> {
    const row = await this.database.one<R>(sql, parameters);
    if (row === undefined) throw new Error('the webhook has no state');
    return row;
  }
}
