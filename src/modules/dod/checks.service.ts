import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { TaskStatus } from '../../common/statuses.js';
import type { Actor } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Representation } from '../../platform/database/view.js';
import { ROWS_AT_ONCE, TasksRepository, type TaskRow } from '../tasks/tasks.repository.js';
import { DodCheck } from './check.entity.js';
import { verdictOf, withoutPolicy, type CheckVerdict } from './check.rules.js';
import { checkView } from './check.view.js';
import { judge, type Judgement, type Measure } from './conditions/judgement.js';
import { EndeavourDodRepository, type PolicyInForce } from './endeavour-dod.repository.js';
import { EvidenceRepository } from './evidence.repository.js';

/** Checking costs about a millisecond per task; larger numbers are checked page by page. */
const MOST_JUDGED = 1000;

/** A task with the outcome of its check. */
export interface Judged {
  task: TaskRow;
  judgement: Judgement;
}

/** A verdict with its evidence. */
export interface Examined {
  task: TaskRow;
  policy: PolicyInForce | undefined;
  verdict: CheckVerdict;
}

/** Checks tasks against the policy of their endeavour and stores the results. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly policies: EndeavourDodRepository,
    private readonly tasks: TasksRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Checks a task for a user without storing the check. */
  async examine(
    me: Actor,
    task: TaskRow,
    { isClosing = false, touched = [] }: { isClosing?: boolean; touched?: readonly string[] } = {},
  ): Promise<Examined> {
    const overridden = isOverridden(task);
    const found = await this.policies.inForceFor(String(task.endeavour_id), me.resourceId);
    if (found === undefined) return { task, policy: undefined, verdict: withoutPolicy(overridden) };
    const { endorsed, ...policy } = found;
    const [facts] = await this.evidence.factsOf([task], policy.conditions, touched);
    return { task, policy, verdict: verdictOf(judge(policy, facts), { overridden, endorsed, isClosing }) };
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
      const tasks = await this.tasks.nextRows(endeavourId, statuses, last);
      if (judged.length + tasks.length > MOST_JUDGED) return { judged, truncated: true };
      judged.push(...(await this.judgeThese(tasks, policy)));
      if (tasks.length < ROWS_AT_ONCE) return { judged, truncated: false };
      last = tasks[ROWS_AT_ONCE - 1].id;
    }
  }

  /** The same for these tasks, 500 at most, in the order of their ids. */
  async judgeEach(ids: readonly string[], policy: Measure): Promise<Judged[]> {
    return this.judgeThese(await this.tasks.rows(ids), policy);
  }

  private async judgeThese(tasks: readonly TaskRow[], policy: Measure): Promise<Judged[]> {
    const facts = await this.evidence.factsOf(tasks, policy.conditions);
    return facts.map((each) => ({ task: each.task, judgement: judge(policy, each) }));
  }
}

/** Whether an endeavour admin has overridden the policy for the task. */
export const isOverridden = (task: TaskRow): boolean =>
  task.dod_overridden_at !== null && task.dod_overridden_at !== undefined;
