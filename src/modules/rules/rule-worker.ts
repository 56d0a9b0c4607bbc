import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Loop } from '../../platform/jobs/loop.js';
import { RuleDisabling } from './rule-disabling.js';
import { OwnerLeft } from './rule-owners.js';
import { isFailure, isPause, MAX_ATTEMPTS, secondsAfter } from './rule-run.rules.js';
import { RefusedRun, RuleRunner } from './rule-runner.js';
import { RuleRunsRepository, type Candidate, type DueRun } from './rule-runs.repository.js';

const PAUSE_MS = 1_000;
/** Until the next attempt after a refusal that ends by itself. */
const PAUSE_S = 5;
/** The time limit of a run, with all of its actions. */
const RUN_SECONDS = 10;

/** What one step of the worker is about. */
interface Step {
  candidates?: readonly Candidate[];
  run?: DueRun;
}

/**
 * Carries out the runs of rules. The effects of a run and its end are one transaction, and those of an endeavour end one
 * after the other on any of the replicas, so that each happens exactly once and in the order of the events.
 */
@Injectable()
export class RuleWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Rules');
  private readonly loop = new Loop('the runs of rules', () => this.next(), PAUSE_MS);

  constructor(
    private readonly database: Database,
    private readonly disabling: RuleDisabling,
    private readonly housekeeping: Housekeeping,
    private readonly repository: RuleRunsRepository,
    private readonly runner: RuleRunner,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.housekeeping.discard('rule_runs', "created_at < now() - interval '30 days' AND due_at IS NULL");
    this.wake();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Signals that there may be runs. */
  wake(): void {
    if (this.settings.BACKGROUND_JOBS) this.loop.wake();
  }

  /** Makes one step; returns whether there may be another. */
  private async next(): Promise<boolean> {
    if (!(await this.repository.hasPending())) return false;
    const step: Step = {};
    try {
      return await this.database.transaction(() => this.make(step), { seconds: RUN_SECONDS });
    } catch (error) {
      if (step.run === undefined && step.candidates === undefined) throw error;
      await this.handleError(step, error);
      return true;
    }
  }

  private async make(step: Step): Promise<boolean> {
    step.candidates = undefined;
    step.run = undefined;
    const endeavourId = await this.repository.claimEndeavour();
    if (endeavourId === undefined) return false;
    const candidates = await this.repository.candidates(endeavourId);
    if (candidates.length > 0) {
      step.candidates = candidates;
      const { ruleId } = candidates[0];
      const isTooMany = await this.runner.match(candidates);
      if (isTooMany) this.database.afterCommit(() => void this.disable(ruleId, 'too_many_waiting'));
      return true;
    }
    const run = await this.repository.next(endeavourId);
    if (run === undefined) return true;
    step.run = run;
    await this.runner.run(run);
    return true;
  }

  private async handleError({ candidates = [], run }: Step, error: unknown): Promise<void> {
    const runs = run === undefined ? candidates : [run];
    const ids = runs.map(({ id }) => id);
    if (error instanceof OwnerLeft) return this.disabling.disable(error.ruleId, 'owner_left');
    const refusal = error instanceof RefusedRun ? error : { code: 'internal_error', message: 'The run failed.' };
    if (isPause(refusal.code)) {
      const seconds = (error instanceof RefusedRun && error.retryAfter) || PAUSE_S;
      return this.repository.postpone(ids, seconds, { counts: false });
    }
    if (!isFailure(refusal.code)) return this.repository.finish(ids, 'refused', refusal);
    this.log.warn(`a run of ${runs[0].ruleId} failed: ${String(error)}`);
    const attempts = runs[0].attempts + 1;
    if (attempts < MAX_ATTEMPTS) return this.repository.postpone(ids, secondsAfter(attempts), { counts: true });
    return this.repository.finish(ids, 'failed', refusal);
  }

  private async disable(ruleId: string, reason: 'too_many_waiting'): Promise<void> {
    try {
      await this.disabling.disable(ruleId, reason);
    } catch (error) {
      this.log.warn(`${ruleId} could not be disabled and will be with its next run: ${String(error)}`);
    }
  }
}
