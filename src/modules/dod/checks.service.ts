import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { TaskStatus } from '../../common/statuses.js';
import type { Actor } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import { DodCheck } from './check.entity.js';
import { verdictOf, withoutPolicy, type Verdict } from './check.rules.js';
import { checkView } from './check.view.js';
import { judge, type Judgement, type Measure } from './conditions/judgement.js';
import { EvidenceService, type TaskRow } from './evidence.service.js';

const BATCH = 500;

/** Checking costs about a millisecond per task; larger numbers are checked page by page. */
const MOST_JUDGED = 1000;

/** A task with the outcome of its check. */
export interface Judged {
  task: TaskRow;
  judgement: Judgement;
}

/** The policy that is assigned to an endeavour. */
interface InForce extends Measure {
  id: string;
  name: string;
  version: number;
}

/** A verdict, and what it was given on. */
export interface Examined {
  task: TaskRow;
  policy: InForce | undefined;
  verdict: Verdict;
}

/** Examines tasks by the policy of their endeavour, and keeps what was found. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly database: Database,
    private readonly evidence: EvidenceService,
    private readonly writer: ResourceWriter,
  ) {}

  /** Checks a task for a user without storing the check. */
  async examine(
    me: Actor,
    task: TaskRow,
    { isClosing = false, touched = [] }: { isClosing?: boolean; touched?: readonly string[] } = {},
  ): Promise<Examined> {
    const overridden = isOverridden(task);
    const found = await this.database.one<InForce & { endorsed: boolean }>(
      `SELECT p.id, p.name, p.version, p.conditions, p.strictness, p.quorum,
         EXISTS (SELECT 1 FROM dod_endorsements d WHERE d.endeavour_id = e.id AND d.policy_id = p.id
                 AND d.resource_id = $2 AND d.status = 'active') AS endorsed
       FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = $1`,
      [task.endeavour_id, me.resourceId],
    );
    if (found === undefined) return { task, policy: undefined, verdict: withoutPolicy(overridden) };
    const [facts] = await this.evidence.of([task], found.conditions, touched);
    const circumstances = { overridden, endorsed: found.endorsed, isClosing };
    return { task, policy: found, verdict: verdictOf(judge(found, facts), circumstances) };
  }

  keep(me: Actor, { task, policy, verdict }: Examined): Promise<Representation> {
    return this.writer.create(me, checkView, DodCheck, {
      row: {
        id: newId('dod_check'),
        taskId: task.id,
        ...verdict,
        policyId: policy?.id ?? null,
        policyName: policy?.name ?? null,
        policyVersion: policy?.version ?? null,
        checkedBy: me.resourceId,
      },
      place: { endeavourId: String(task.endeavour_id) },
      parentId: task.id,
      title: `${String(task.title)}: ${verdict.result}`,
      event: { type: 'dod.checked' },
    });
  }

  /** A task by the names of its columns. */
  async task(id: string): Promise<TaskRow> {
    const [task] = await this.read('t.id = $1', [id]);
    return task;
  }

  /**
   * The tasks of an endeavour with one of these statuses and their outcomes, in batches of a few hundred; at most
   * `MOST_JUDGED`, with a flag for more.
   */
  async judgeAll(
    endeavourId: string,
    statuses: readonly TaskStatus[],
    policy: Measure,
  ): Promise<{ judged: Judged[]; truncated: boolean }> {
    const judged: Judged[] = [];
    for (let last = ''; ;) {
      const where = 't.endeavour_id = $1 AND t.status = ANY($2::text[]) AND t.id > $3';
      const tasks = await this.read(where, [endeavourId, statuses, last]);
      if (judged.length + tasks.length > MOST_JUDGED) return { judged, truncated: true };
      judged.push(...(await this.judgeThese(tasks, policy)));
      if (tasks.length < BATCH) return { judged, truncated: false };
      last = tasks[BATCH - 1].id;
    }
  }

  /** The same for these tasks, 500 at most, in the order of their ids. */
  async judgeEach(ids: readonly string[], policy: Measure): Promise<Judged[]> {
    return this.judgeThese(await this.read('t.id = ANY($1::text[])', [ids]), policy);
  }

  private async judgeThese(tasks: readonly TaskRow[], policy: Measure): Promise<Judged[]> {
    const facts = await this.evidence.of(tasks, policy.conditions);
    return facts.map((each) => ({ task: each.task, judgement: judge(policy, each) }));
  }

  private async read(where: string, parameters: unknown[]): Promise<TaskRow[]> {
    const rows = await this.database.query<{ task: TaskRow }>(
      `SELECT to_jsonb(t) - '{words,content_changes}'::text[] AS task FROM tasks t WHERE ${where} ORDER BY t.id LIMIT ${BATCH}`,
      parameters,
    );
    return rows.map(({ task }) => task);
  }
}

/** Whether an endeavour admin lets the task pass. */
export const isOverridden = (task: TaskRow): boolean =>
  task.dod_overridden_at !== null && task.dod_overridden_at !== undefined;
