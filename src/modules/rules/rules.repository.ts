import { Injectable } from '@nestjs/common';
import { ACTIVE_USERS, leftJoinUserOf, rankToAct } from '../../access/visibility/people.view.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import type { SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { Rule } from './rule.entity.js';
import type { RuleAction } from './rule.rules.js';

/** A rule with what its owner signed in with. */
export interface RunningRule {
  id: string;
  endeavourId: string;
  filter: SavedQuery;
  actions: RuleAction[];
  isEnabled: boolean;
  ownerUserId: string | null;
  hasSecondFactor: boolean;
  provedTo: string | null;
  tokenId: string | null;
}

/** SQL: whether the owner of the rule `ru` is no longer an admin of its endeavour. */
const IS_ORPHAN = `NOT EXISTS (SELECT 1 FROM ${ACTIVE_USERS} AND u.resource_id = ru.owner_id AND (u.is_admin
  OR ${rankToAct('u', 'ru.endeavour_id')} >= 3))`;

/** The rows of rules and of their states. */
@Injectable()
export class RulesRepository {
  constructor(private readonly database: Database) {}

  async countIn(endeavourId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM rules WHERE endeavour_id = $1 AND deleted_at IS NULL',
      [endeavourId],
    );
    return row?.count ?? 0;
  }

  /** Begins the rule with the next event, in the name of its writer. */
  async begin(id: string, me: Caller): Promise<void> {
    await this.database.query(
      `INSERT INTO rule_states (rule_id, since, has_second_factor, proved_to, token_id)
       VALUES ($1, feed_head(), $2, $3, $4)
       ON CONFLICT (rule_id) DO UPDATE SET since = excluded.since, began_at = excluded.began_at,
         has_second_factor = excluded.has_second_factor, proved_to = excluded.proved_to, token_id = excluded.token_id`,
      [id, ...proofOf(me)],
    );
  }

  /** Lets a rule that goes on run in the name of the person who changes it. */
  async handOver(id: string, me: Caller): Promise<void> {
    await this.database.query(
      'UPDATE rule_states SET has_second_factor = $2, proved_to = $3, token_id = $4 WHERE rule_id = $1',
      [id, ...proofOf(me)],
    );
  }

  async read(id: string): Promise<RunningRule | undefined> {
    return this.database.one<RunningRule>(
      `SELECT ru.id, ru.endeavour_id AS "endeavourId", ru.filter, ru.actions, ru.is_enabled AS "isEnabled",
         u.id AS "ownerUserId", s.has_second_factor AS "hasSecondFactor", s.proved_to AS "provedTo", s.token_id AS "tokenId"
       FROM rules ru JOIN rule_states s ON s.rule_id = ru.id ${leftJoinUserOf('u', 'ru.owner_id')}
       WHERE ru.id = $1 AND ru.deleted_at IS NULL`,
      [id],
    );
  }

  /** Locks an enabled rule. */
  lockEnabled(id: string): Promise<Rule | undefined> {
    return this.database.one<Rule>(
      `SELECT ru.id, ru.revision, ru.name, ru.endeavour_id AS "endeavourId", ru.owner_id AS "ownerId",
         ru.is_enabled AS "isEnabled", ru.disabled_reason AS "disabledReason"
       FROM rules ru JOIN entities x ON x.id = ru.id WHERE ru.id = $1 AND ru.is_enabled FOR NO KEY UPDATE OF ru, x`,
      [id],
    );
  }

  /** Whether the owner is no longer an admin of the endeavour. */
  async isOrphan(id: string): Promise<boolean> {
    const row = await this.database.one<{ isOrphan: boolean }>(
      `SELECT ${IS_ORPHAN} AS "isOrphan" FROM rules ru WHERE ru.id = $1`,
      [id],
    );
    return row?.isOrphan === true;
  }

  /** The ids of enabled rules whose owner is no longer an admin of the endeavour. */
  async orphans(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT ru.id FROM rules ru WHERE ru.is_enabled AND ${IS_ORPHAN} ORDER BY ru.id`,
    );
    return rows.map(({ id }) => id);
  }

  /** The resource ids of the active admins of the endeavour. */
  async adminsOf(endeavourId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT DISTINCT u.resource_id AS id FROM ${ACTIVE_USERS} AND u.id IN (
         SELECT g.user_id FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.rank >= 3) ORDER BY 1`,
      [endeavourId],
    );
    return rows.map(({ id }) => id);
  }
}

/** What the caller has signed in with. */
const proofOf = ({ hasSecondFactor, provedTo, tokenId }: Caller): unknown[] => [
  hasSecondFactor === true,
  provedTo ?? null,
  tokenId ?? null,
];
