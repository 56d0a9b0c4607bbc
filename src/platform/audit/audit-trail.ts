import { Injectable } from '@nestjs/common';
import { auditActionOf, AUDITED_DETAILS, type AuditAction } from '../../common/audit.js';
import { newId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import { actingPerson, type Actor } from '../context/actor.js';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { AuditChain } from './audit-chain.js';
import { RequestContext } from '../context/request-context.js';

/** A security-relevant action that has no event of its own. */
export interface AuditedAction {
  action: AuditAction;
  /** The user whose account it concerns. */
  userId?: string | null;
  /** Set if that user acted although the request has no session, such as at a sign-up. */
  isOwnAct?: true;
  entityType?: Kind;
  entityId?: string | null;
  /** The container whose owners see the entry, if it is not that of the entity. */
  containerId?: string | null;
  /** The session that was opened or ended, if it is not the current one. */
  sessionId?: string;
  details?: Record<string, unknown>;
  /** The number of occurrences that one entry stands for. */
  count?: number;
}

/** The origin of an act and its actor. */
export interface Origin {
  caller?: Actor;
  requestId?: string;
  address?: string;
  userAgent?: string;
  email?: string;
}

/** An entry that is not in the database yet. */
export interface NewEntry extends AuditedAction, Origin {
  operation?: string;
  code?: string;
  reason?: string;
}

/** An event that a statement writes. */
interface WrittenEvent {
  type: string;
  changed?: readonly string[];
}

interface Binder {
  bind(value: unknown): string;
}

const MAX_USER_AGENT_LENGTH = 300;

const ORIGIN_COLUMNS = '(entry_id, user_id, address, user_agent, email)';

const INSERT = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS r (id text, action text, actor_id text, user_id text, entity_type text,
      entity_id text, session_id text, token_id text, request_id text, operation text, code text, reason text,
      count integer, details jsonb, origin text, own_id text, caller_id text, container_id text, address text, user_agent text, email text)),
  entries AS (
    INSERT INTO audit_entries (id, action, actor_id, user_id, entity_type, entity_id, endeavour_id, organization_id,
      session_id, token_id, request_id, operation, code, reason, count, details, origin)
    SELECT g.id, g.action, coalesce(g.actor_id, u.resource_id), g.user_id, coalesce(g.entity_type, x.kind), g.entity_id, x.endeavour_id,
      coalesce(x.organization_id, home_of(x.endeavour_id)), g.session_id, g.token_id, g.request_id, g.operation, g.code,
      g.reason, g.count, g.details, g.origin
    FROM given g LEFT JOIN entities x ON x.id = coalesce(g.container_id, g.entity_id) LEFT JOIN users u ON u.id = g.own_id)
  INSERT INTO audit_origins ${ORIGIN_COLUMNS}
  SELECT g.id, coalesce(g.caller_id, g.user_id), g.address, g.user_agent, g.email FROM given g WHERE g.origin IS NOT NULL`;

/** SQL over `news n`, the events of the statement: the user whose account or role the event concerns. */
const CONCERNED = `CASE n.entity_type WHEN 'user' THEN n.entity_id ELSE n.data ->> 'user_id' END`;

/** SQL: the organization whose owners see the entry; for an agent and its tokens, the one that the agent belongs to. */
const ORGANIZATION = `coalesce(n.organization_id, home_of(n.endeavour_id), CASE
  WHEN n.entity_type IN ('user', 'access_token') THEN (SELECT agent.agent_of FROM users agent WHERE agent.id = ${CONCERNED}) END)`;

/** SQL: the other organization whose owners see the entry: a former home, or the home of an endeavour that is shared. */
const OTHER_ORGANIZATION = `coalesce(n.previous ->> 'organization_id',
  CASE WHEN n.type IN ('endeavour.linked', 'endeavour.unlinked') THEN nullif(home_of(n.endeavour_id), n.organization_id) END)`;

/** SQL for the action; actions on agents have separate names, although their events are those of users. */
const ACTION = `CASE WHEN n.entity_type = 'user' AND n.data ->> 'user_type' = 'agent'
  THEN regexp_replace(acts.action, '^user', 'agent') ELSE acts.action END`;

/** Writes audit entries in the transaction of the act. */
@Injectable()
export class AuditTrail {
  private readonly chain = new AuditChain(this.secrets);

  constructor(
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly secrets: Secrets,
  ) {}

  /** Records an act of the current request. */
  async record(act: AuditedAction): Promise<void> {
    await this.write([{ ...this.origin(), ...act }]);
  }

  /**
   * Records that the user has exported data, with an entry for each container that it concerns, so that the owners of its
   * home see it: the named ones among those of the user, or by default all organizations of the user.
   */
  async recordExport(userId: string, act: AuditedAction, containerIds: readonly string[] = []): Promise<void> {
    const reached = await this.database.query<{ id: string }>(
      'SELECT id FROM containers_reached_by($1, $2) AS r (id)',
      [userId, containerIds],
    );
    const origin = this.origin();
    const entries = reached.map(({ id }) => ({ ...origin, ...act, entityType: undefined, entityId: id }));
    await this.write(entries.length > 0 ? entries : [{ ...origin, ...act }]);
  }

  /** Writes entries without the context of the current request. */
  async write(entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.database.query(INSERT, [JSON.stringify(entries.map((entry) => this.rowOf(entry)))]);
  }

  /**
   * Returns the step `news` of a statement, which inserts events, followed by steps that record the acts among them.
   * Acts therefore need no separate statement, and other events cost nothing.
   */
  eventSteps(insert: string, events: readonly WrittenEvent[], p: Binder): string {
    const acts = events.flatMap(({ type, changed }): [string, AuditAction][] => {
      const action = auditActionOf(type, changed);
      return action === undefined ? [] : [[type, action]];
    });
    if (acts.length === 0) return `news AS (${insert})`;
    const { caller, address, userAgent } = this.origin();
    const text = (value: string | null | undefined): string => `${p.bind(value ?? null)}::text`;
    const origin = text(this.chain.origin(address, userAgent));
    const details = `${p.bind(AUDITED_DETAILS)}::text[]`;
    return `news AS (${insert} RETURNING *),
      audited AS (
        INSERT INTO audit_entries (id, action, actor_id, user_id, entity_type, entity_id, endeavour_id, organization_id,
          former_organization_id, session_id, token_id, request_id, details, origin)
        SELECT new_id('aud'), ${ACTION}, n.actor_id, ${CONCERNED}, n.entity_type, n.entity_id, n.endeavour_id,
          ${ORGANIZATION}, ${OTHER_ORGANIZATION},
          ${text(sessionOf(caller))}, n.token_id, n.request_id,
          only_keys(n.data, ${details}) || jsonb_build_object('before', only_keys(n.previous, ${details})), ${origin}
        FROM news n JOIN jsonb_each_text(${p.bind(JSON.stringify(Object.fromEntries(acts)))}::jsonb) acts (type, action)
          USING (type)
        RETURNING id, user_id),
      audit_origin AS (
        INSERT INTO audit_origins ${ORIGIN_COLUMNS}
        SELECT audited.id, coalesce(${text(caller?.userId || null)}, audited.user_id), ${text(address)}, ${text(userAgent)}, NULL
        FROM audited WHERE ${origin} IS NOT NULL)`;
  }

  /** Erases the personal data of a person from the audit; ids and hashes stay. */
  async erase(userId: string, email: string): Promise<void> {
    await this.database.query('DELETE FROM audit_origins WHERE user_id = $1 OR email = $2', [userId, email]);
  }

  private origin(): Origin {
    const { caller, requestId, clientAddress: address, userAgent } = this.context;
    return { caller, requestId, address, userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) };
  }

  private rowOf({ caller, requestId, userAgent, ...entry }: NewEntry): Record<string, unknown> {
    return {
      id: newId('audit_entry'),
      action: entry.action,
      actor_id: actingPerson(caller),
      caller_id: caller?.userId || null,
      user_id: entry.userId,
      own_id: entry.isOwnAct && entry.userId,
      entity_type: entry.entityType,
      entity_id: entry.entityId,
      container_id: entry.containerId,
      session_id: entry.sessionId ?? sessionOf(caller),
      token_id: caller?.tokenId,
      request_id: requestId,
      operation: entry.operation,
      code: entry.code,
      reason: entry.reason,
      count: entry.count ?? 1,
      details: entry.details ?? {},
      origin: this.chain.origin(entry.address, userAgent, entry.email),
      address: entry.address,
      user_agent: userAgent,
      email: entry.email,
    };
  }
}

/** The session of the caller; callers with an access token have an empty session id. */
const sessionOf = (caller: Actor | undefined): string | undefined => caller?.sessionId || undefined;
