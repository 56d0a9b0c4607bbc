import { Injectable } from '@nestjs/common';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { ChecksService, isOverridden, type Judged } from './checks.service.js';
import type { Judgement } from './conditions/judgement.js';
import { EndeavourDodRepository, type PolicyInForce } from './endeavour-dod.repository.js';

const MOST_NAMED = 100;

/** Conditions that only people can meet. */
const VERDICTS = new Set(['peer_review', 'stakeholder_sign_off']);

/** Provides the report variables about the Definition of Done. */
@Injectable()
export class DodReport {
  constructor(
    private readonly checks: ChecksService,
    private readonly repository: EndeavourDodRepository,
    private readonly tasks: TasksRepository,
  ) {}

  /** For an endeavour: the status of its active tasks, and those that lack only approvals. */
  async ofEndeavour(id: string): Promise<Record<string, unknown>> {
    const policy = await this.repository.inForce(id);
    if (policy === undefined) {
      return {
        dod: { policy: null, met: 0, not_met: 0, overridden: 0, waiting: 0, truncated: false },
        review_tasks: [],
      };
    }
    const { judged, truncated } = await this.checks.judgeAll(id, ['active'], policy);
    const open = judged.filter(({ task }) => !isOverridden(task));
    const met = open.filter(({ judgement }) => judgement.isMet).length;
    const waiting = open.filter(({ judgement }) => !judgement.isMet && lacksOnlyVerdicts(judgement));
    return {
      dod: {
        policy: named(policy),
        met,
        not_met: open.length - met,
        overridden: judged.length - open.length,
        waiting: waiting.length,
        truncated,
      },
      review_tasks: waiting.slice(0, MOST_NAMED).map(reviewTask),
    };
  }

  /** For a task: its policy and the outcome of a check. */
  async ofTask(id: string): Promise<Record<string, unknown>> {
    const policy = await this.repository.inForce(await this.tasks.endeavourOf(id));
    if (policy === undefined) return { dod: { policy: null, is_met: null, conditions: [] } };
    const [{ judgement }] = await this.checks.judgeEach([id], policy);
    const conditions = judgement.results.map(({ label, required, status, detail }) => ({
      label,
      required,
      status,
      detail,
    }));
    return { dod: { policy: named(policy), is_met: judgement.isMet, conditions } };
  }
}

const named = ({ id, name, version }: PolicyInForce) => ({ id, name, version });

const failed = ({ results }: Judgement) => results.filter(({ required, status }) => required && status === 'failed');

const lacksOnlyVerdicts = (judgement: Judgement): boolean => failed(judgement).every(({ type }) => VERDICTS.has(type));

const reviewTask = ({ task, judgement }: Judged) => ({
  id: task.id,
  title: task.title,
  started_at: task.started_at,
  waits_for: failed(judgement).map(({ label }) => label),
});
