import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { rowsAsJson, type Wire } from '../../platform/database/view.js';
import { failedOf } from './check.rules.js';
import { Checks, isOverridden } from './checks.service.js';
import type { ConditionResult } from './conditions/condition.js';
import type { Measure } from './conditions/judgement.js';
import { endorsementView } from './endorsement.view.js';
import { policyView, type PolicyView } from './policy.view.js';

/** How an endeavour stands to its policy. */
export interface DodStatus {
  endeavour_id: string;
  policy: PolicyView | null;
  endorsements: Wire<typeof endorsementView>[];
  members_without_endorsement: { user_id: string; resource_id: string; name: string }[];
  tasks: { met: number; not_met: number; overridden: number };
}

/** What assigning a policy would do. */
export interface Impact {
  failing_tasks: { id: string; title: string; conditions: ConditionResult[] }[];
  lapsing_endorsements: string[];
}

/** How the tasks and the people of an endeavour stand to a policy. */
@Injectable()
export class EndeavourDod {
  constructor(
    private readonly access: Access,
    private readonly checks: Checks,
    private readonly database: Database,
  ) {}

  async status(me: Caller, id: string): Promise<DodStatus> {
    if ((await this.access.look(me, id)) === undefined) throw notFound();
    const policy = await this.policyOf(me, id);
    return {
      endeavour_id: id,
      policy,
      endorsements: await this.endorsements(me, id),
      members_without_endorsement: policy === null ? [] : await this.unbound(id),
      tasks: await this.count(id, policy),
    };
  }

  /** Which open tasks would fail under that policy, and which endorsements would lapse. */
  async impact(endeavourId: string, policyId: string): Promise<Impact> {
    const policy = await this.database.one<Measure>(
      'SELECT conditions, strictness, quorum FROM dod_policies WHERE id = $1',
      [policyId],
    );
    if (policy === undefined) throw new Error('a policy that was looked up is there');
    const failing: Impact['failing_tasks'] = [];
    for await (const { task, judgement } of this.checks.judgeAll(endeavourId, ['planned', 'active'], policy)) {
      if (judgement.isMet || isOverridden(task)) continue;
      failing.push({ id: task.id, title: String(task.title), conditions: failedOf(judgement.results) });
    }
    const lapsing = await this.database.query<{ id: string }>(
      `SELECT id FROM dod_endorsements WHERE endeavour_id = $1 AND status = 'active' AND policy_id <> $2 ORDER BY id`,
      [endeavourId, policyId],
    );
    return {
      failing_tasks: failing,
      lapsing_endorsements: lapsing.map(({ id }) => id),
    };
  }

  private async count(endeavourId: string, policy: Measure | null): Promise<DodStatus['tasks']> {
    const tasks = { met: 0, not_met: 0, overridden: 0 };
    if (policy === null) return tasks;
    for await (const { task, judgement } of this.checks.judgeAll(endeavourId, ['active'], policy)) {
      if (isOverridden(task)) tasks.overridden += 1;
      else if (judgement.isMet) tasks.met += 1;
      else tasks.not_met += 1;
    }
    return tasks;
  }

  /** Shown to everyone who is bound by it, members of its organization or not. */
  private async policyOf(me: Caller, endeavourId: string): Promise<PolicyView | null> {
    const { select, from } = rowsAsJson(policyView);
    const row = await this.database.one<{ body: PolicyView }>(
      `SELECT ${select} FROM ${from} JOIN endeavours e ON e.dod_policy_id = p.id WHERE e.id = $2 AND $1::text IS NOT NULL`,
      [me.userId, endeavourId],
    );
    return row?.body ?? null;
  }

  private async endorsements(me: Caller, endeavourId: string): Promise<DodStatus['endorsements']> {
    const { select, from } = rowsAsJson(endorsementView);
    const rows = await this.database.query<{ body: Wire<typeof endorsementView> }>(
      `SELECT ${select} FROM ${from} WHERE d.endeavour_id = $2 AND d.status = 'active' AND $1::text IS NOT NULL
       ORDER BY d.created_at, d.id`,
      [me.userId, endeavourId],
    );
    return rows.map(({ body }) => body);
  }

  /** Whoever could close a task there but for the endorsement. */
  private unbound(endeavourId: string): Promise<DodStatus['members_without_endorsement']> {
    return this.database.query(
      `SELECT u.id AS user_id, u.resource_id, u.name FROM users u
       WHERE u.status = 'active'
         AND u.id IN (SELECT g.user_id FROM endeavour_grants g WHERE g.endeavour_id = $1 AND g.rank >= role_rank('member'))
         AND NOT EXISTS (SELECT 1 FROM dod_endorsements d WHERE d.endeavour_id = $1 AND d.resource_id = u.resource_id
                         AND d.status = 'active')
       ORDER BY u.name, u.id`,
      [endeavourId],
    );
  }
}
