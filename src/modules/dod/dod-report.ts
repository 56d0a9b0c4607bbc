import { Injectable } from '@nestjs/common';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { ChecksService, stateOf, type EvaluatedTask } from './results/checks.service.js';
import type { Evaluation } from './conditions/evaluation.js';
import { EndeavourDodRepository, type PolicyInForce } from './endeavour-dod.repository.js';

const MAX_LISTED = 100;

/** Condition types that are met by approvals. */
const VERDICT_TYPES = new Set(['peer_review', 'stakeholder_sign_off']);

/** Provides the report variables about the Definition of Done. */
@Injectable()
export class DodReport {
  constructor(
    private readonly checks: ChecksService,
    private readonly repository: EndeavourDodRepository,
    private readonly tasks: TasksRepository,
  ) {}

  /** Returns the status of the active tasks of an endeavour, and the tasks that lack only approvals. */
  async ofEndeavour(id: string): Promise<Record<string, unknown>> {
    const policy = await this.repository.inForce(id);
    if (policy === undefined) {
      return {
        dod: { policy: null, met: 0, not_met: 0, overridden: 0, waiting: 0, truncated: false },
        review_tasks: [],
      };
    }
    const counts = { met: 0, not_met: 0, overridden: 0, waiting: 0 };
    const reviewTasks: ReturnType<typeof reviewTask>[] = [];
    const { truncated } = await this.checks.evaluateAll(id, ['active'], policy, (evaluated) => {
      const state = stateOf(evaluated);
      counts[state] += 1;
      if (state !== 'not_met' || !lacksOnlyVerdicts(evaluated.evaluation)) return;
      counts.waiting += 1;
      if (reviewTasks.length < MAX_LISTED) reviewTasks.push(reviewTask(evaluated));
    });
    const keys = await this.repository.keysOf(reviewTasks.map((task) => task.id));
    return {
      dod: { policy: policySummary(policy), ...counts, truncated },
      review_tasks: reviewTasks.map((task) => ({ ...task, key: keys.get(task.id) ?? null })),
    };
  }

  /** Returns the policy of a task and the result of evaluating the task against it. */
  async ofTask(id: string): Promise<Record<string, unknown>> {
    const policy = await this.repository.inForce(await this.tasks.endeavourOf(id));
    if (policy === undefined) return { dod: { policy: null, is_met: null, conditions: [] } };
    const { isMet, results } = await this.checks.evaluateOne(id, policy);
    const conditions = results.map(({ label, required, status, detail }) => ({ label, required, status, detail }));
    return { dod: { policy: policySummary(policy), is_met: isMet, conditions } };
  }
}

const policySummary = ({ id, name, version }: PolicyInForce) => ({ id, name, version });

const failed = ({ results }: Evaluation) => results.filter(({ required, status }) => required && status === 'failed');

const lacksOnlyVerdicts = (evaluation: Evaluation): boolean =>
  failed(evaluation).every(({ type }) => VERDICT_TYPES.has(type));

const reviewTask = ({ task, evaluation }: EvaluatedTask) => ({
  id: task.id,
  title: task.title,
  started_at: task.started_at,
  waits_for: failed(evaluation).map(({ label }) => label),
});
