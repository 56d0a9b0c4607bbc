import { Injectable } from '@nestjs/common';
import { newId } from '../../../common/ids.js';
import type { TaskStatus } from '../../../common/statuses.js';
import type { Actor } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { ROWS_AT_ONCE, TasksRepository, type TaskRow } from '../../tasks/tasks.repository.js';
import { DodCheck } from './check.entity.js';
import { verdictOf, withoutPolicy, type CheckVerdict } from './check.rules.js';
import { checkView } from './check.view.js';
import { evaluate, type Evaluation, type PolicyRules } from '../conditions/evaluation.js';
import { partsReadBy } from '../conditions/types.js';
import { EndeavourDodRepository, type PolicyInForce } from '../endeavour-dod.repository.js';
import { EvidenceRepository } from './evidence.repository.js';

/** The evaluation of a task takes about a millisecond; larger numbers of tasks are evaluated page by page. */
const MAX_EVALUATED = 1000;

/** A task with its evaluation. */
export interface EvaluatedTask {
  task: TaskRow;
  evaluation: Evaluation;
  /** Whether an endeavour admin has overridden this version of the policy for the task. */
  isOverridden: boolean;
}

/** A policy with its rules. */
type IdentifiedRules = PolicyRules & { id: string };

/** The result of a check that is not stored yet. */
interface CheckOutcome {
  task: TaskRow;
  policy: PolicyInForce | undefined;
  verdict: CheckVerdict;
}

/** Checks tasks against the policy of their endeavour, and stores checks. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly policies: EndeavourDodRepository,
    private readonly tasks: TasksRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /**
   * Checks a task for a user without storing the check. `isClosing` requires the user's endorsement of the policy;
   * `touched` are the content parts that the current patch changes.
   */
  async check(
    me: Actor,
    task: TaskRow,
    { isClosing = false, touched = [] }: { isClosing?: boolean; touched?: readonly string[] } = {},
  ): Promise<CheckOutcome> {
    const policyInForce = await this.policies.inForceFor(String(task.endeavour_id), me.resourceId);
    if (policyInForce === undefined) return { task, policy: undefined, verdict: withoutPolicy(hasOverride(task)) };
    const { endorsed, ...policy } = policyInForce;
    const [facts] = await this.evidence.factsOf([task], policy.conditions, { touched, changedBy: me.resourceId });
    const overridden = isOverridden(task, policy);
    const isOverrideVoid = hasOverride(task) && !overridden;
    const circumstances = { overridden, isOverrideVoid, endorsed, isClosing };
    return { task, policy, verdict: verdictOf(evaluate(policy, facts), circumstances) };
  }

  store(me: Actor, { task, policy, verdict }: CheckOutcome): Promise<Representation> {
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
   * Evaluates the tasks of an endeavour with one of these statuses and passes each to `visit`. Reads them in batches,
   * of which only one is kept in memory. Stops after at most `MAX_EVALUATED` tasks; returns whether there are more.
   */
  async evaluateAll(
    endeavourId: string,
    statuses: readonly TaskStatus[],
    policy: IdentifiedRules,
    visit: (task: EvaluatedTask) => void,
  ): Promise<{ truncated: boolean }> {
    const parts = partsReadBy(policy.conditions);
    let last = '';
    for (let count = 0; ; count += ROWS_AT_ONCE) {
      const tasks = await this.tasks.nextRows(endeavourId, statuses, last, parts);
      if (count + tasks.length > MAX_EVALUATED) return { truncated: true };
      for (const task of await this.evaluateRows(tasks, policy)) visit(task);
      if (tasks.length < ROWS_AT_ONCE) return { truncated: false };
      last = tasks[ROWS_AT_ONCE - 1].id;
    }
  }

  /** Evaluates the tasks with these ids and passes each to `visit`; one batch at a time is kept in memory. */
  async evaluateEach(
    ids: readonly string[],
    policy: IdentifiedRules,
    visit: (task: EvaluatedTask) => void,
  ): Promise<void> {
    const parts = partsReadBy(policy.conditions);
    for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
      const tasks = await this.tasks.rows(ids.slice(start, start + ROWS_AT_ONCE), parts);
      for (const task of await this.evaluateRows(tasks, policy)) visit(task);
    }
  }

  async evaluateOne(id: string, policy: IdentifiedRules): Promise<Evaluation> {
    const [{ evaluation }] = await this.evaluateRows([await this.tasks.row(id)], policy);
    return evaluation;
  }

  private async evaluateRows(tasks: readonly TaskRow[], policy: IdentifiedRules): Promise<EvaluatedTask[]> {
    const facts = await this.evidence.factsOf(tasks, policy.conditions);
    return facts.map((taskFacts) => {
      const { task } = taskFacts;
      return { task, evaluation: evaluate(policy, taskFacts), isOverridden: isOverridden(task, policy) };
    });
  }
}

/** Whether an endeavour admin has made an override for the task, under whatever policy. */
const hasOverride = (task: TaskRow): boolean => task.dod_overridden_at !== null && task.dod_overridden_at !== undefined;

/** An override counts only while the version of the policy is in force for which it was made. */
const isOverridden = (task: TaskRow, { id }: { id: string }): boolean =>
  hasOverride(task) && task.dod_override_policy_id === id;

/** How a task counts in the status of its endeavour. */
export const stateOf = ({ evaluation, isOverridden: hasPassed }: EvaluatedTask): 'met' | 'not_met' | 'overridden' =>
  hasPassed ? 'overridden' : evaluation.isMet ? 'met' : 'not_met';
