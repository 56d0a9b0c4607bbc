import { Injectable } from '@nestjs/common';
import { ACTIVE_USERS } from '../../access/visibility/people.view.js';
import { POLICIES_IN_FORCE, joinEndeavoursUnder } from '../../access/visibility/containers.view.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { rowsAsJson, type Wire } from '../../platform/database/views/view.js';
import type { PolicyRules } from './conditions/evaluation.js';
import { endorsementView } from './endorsements/endorsement.view.js';
import { policyView, type PolicyView } from './policies/policy.view.js';

const MAX_LISTED = 50;
const MAX_ENDORSEMENTS = 200;

type EndorsementView = Wire<typeof endorsementView>;

/** A member whose role allows completing tasks, but who has not endorsed the policy. */
export interface MemberWithoutEndorsement {
  user_id: string;
  resource_id: string;
  name: string;
}

/** The policy of an endeavour with its rules. */
export interface PolicyInForce extends PolicyRules {
  id: string;
  name: string;
  version: number;
}

/** Reads the policies of endeavours and their endorsements. */
@Injectable()
export class EndeavourDodRepository {
  constructor(private readonly database: Database) {}

  /** The keys of tasks by their ids. */
  async keysOf(ids: readonly string[]): Promise<Map<string, string | null>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; key: string | null }>(
      'SELECT k.entity_id AS id, k.key FROM work_keys k WHERE k.entity_id = ANY($1::text[])',
      [ids],
    );
    return new Map(rows.map(({ id, key }) => [id, key]));
  }

  /** Returns the policy of an endeavour. All members of the endeavour can see it, even if it belongs to another organization. */
  async policyOf(me: Caller, endeavourId: string): Promise<PolicyView | null> {
    const { select, from } = rowsAsJson(policyView);
    const row = await this.database.one<{ body: PolicyView }>(
      `SELECT ${select} FROM ${from} ${joinEndeavoursUnder('p.id')} WHERE e.id = $2 AND $1::text IS NOT NULL`,
      [me.userId, endeavourId],
    );
    return row?.body ?? null;
  }

  /** Returns the rules of the policy of an endeavour. */
  inForce(endeavourId: string): Promise<PolicyInForce | undefined> {
    return this.database.one<PolicyInForce>(
      `SELECT p.id, p.name, p.version, p.conditions, p.strictness, p.quorum
       FROM ${POLICIES_IN_FORCE} WHERE e.id = $1`,
      [endeavourId],
    );
  }

  /** Returns the rules of the policy of an endeavour, and whether the resource has endorsed it there. */
  inForceFor(endeavourId: string, resourceId: string): Promise<(PolicyInForce & { endorsed: boolean }) | undefined> {
    return this.database.one<PolicyInForce & { endorsed: boolean }>(
      `SELECT p.id, p.name, p.version, p.conditions, p.strictness, p.quorum,
         EXISTS (SELECT 1 FROM dod_endorsements d WHERE d.endeavour_id = e.id AND d.policy_id = p.id
                 AND d.resource_id = $2 AND d.status = 'active') AS endorsed
       FROM ${POLICIES_IN_FORCE} WHERE e.id = $1`,
      [endeavourId, resourceId],
    );
  }

  async rulesOf(policyId: string): Promise<PolicyRules & { id: string }> {
    const sql = 'SELECT id, conditions, strictness, quorum FROM dod_policies WHERE id = $1';
    const policy = await this.database.one<PolicyRules & { id: string }>(sql, [policyId]);
    if (policy === undefined) throw new Error(`The policy ${policyId} does not exist.`);
    return policy;
  }

  /** Returns the endorsements in an endeavour, active ones first, at most 200. */
  async endorsements(me: Caller, endeavourId: string): Promise<EndorsementView[]> {
    const { select, from } = rowsAsJson(endorsementView);
    const rows = await this.database.query<{ body: EndorsementView }>(
      `SELECT ${select} FROM ${from} WHERE d.endeavour_id = $2 AND $1::text IS NOT NULL
       ORDER BY d.status = 'active' DESC, d.created_at DESC, d.id DESC LIMIT ${MAX_ENDORSEMENTS}`,
      [me.userId, endeavourId],
    );
    return rows.map(({ body }) => body);
  }

  async endorsementCounts(endeavourId: string): Promise<{ active: number; superseded: number }> {
    const row = await this.database.one<{ active: number; superseded: number }>(
      `SELECT count(*) FILTER (WHERE status = 'active')::integer AS active,
         count(*) FILTER (WHERE status = 'superseded')::integer AS superseded
       FROM dod_endorsements WHERE endeavour_id = $1`,
      [endeavourId],
    );
    return row ?? { active: 0, superseded: 0 };
  }

  /** Returns the ids of the active endorsements of other policies in the endeavour. */
  async endorsementsOfOtherPolicies(endeavourId: string, policyId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM dod_endorsements WHERE endeavour_id = $1 AND status = 'active' AND policy_id <> $2 ORDER BY id`,
      [endeavourId, policyId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the members who could complete tasks but have not endorsed the policy: the first 50 by name, and the number
   * of further ones.
   */
  async membersWithoutEndorsement(endeavourId: string): Promise<{ people: MemberWithoutEndorsement[]; more: number }> {
    const rows = await this.database.query<MemberWithoutEndorsement & { total: number }>(
      `SELECT u.id AS user_id, u.resource_id, u.name, count(*) OVER ()::integer AS total FROM ${ACTIVE_USERS}
         AND u.id IN (SELECT g.user_id FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.rank >= role_rank('member'))
         AND NOT EXISTS (SELECT 1 FROM dod_endorsements d WHERE d.endeavour_id = $1 AND d.resource_id = u.resource_id
                         AND d.status = 'active')
       ORDER BY u.name, u.id LIMIT ${MAX_LISTED}`,
      [endeavourId],
    );
    const people = rows.map(({ total: _total, ...person }) => person);
    return { people, more: (rows[0]?.total ?? 0) - people.length };
  }
}
