import { Injectable } from '@nestjs/common';
import { RequestContext } from '../../platform/context/request-context.js';
import { SubRequests } from '../../platform/context/sub-requests.js';
import { RuleOwners, type RuleOwner } from './rule-owners.js';
import { RuleMatcher } from './rule-matcher.js';
import { RuleRequests } from './rule-requests.js';
import { RuleRunsRepository, type Candidate, type DueRun } from './rule-runs.repository.js';
import { RulesRepository, type RunningRule } from './rules.repository.js';
import { MOST_WAITING } from './rule-run.rules.js';

/** Thrown if the service refuses an action, to roll the run back. */
export class RefusedRun extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Applies the filters of rules and carries out their actions, in the transaction of the caller. */
@Injectable()
export class RuleRunner {
  constructor(
    private readonly context: RequestContext,
    private readonly matcher: RuleMatcher,
    private readonly owners: RuleOwners,
    private readonly requests: RuleRequests,
    private readonly rules: RulesRepository,
    private readonly runs: RuleRunsRepository,
    private readonly subRequests: SubRequests,
  ) {}

  /**
   * Applies the filter of the rule of the candidates, as its owner; returns whether so many runs of it wait that it has to
   * be disabled.
   */
  async match(candidates: readonly Candidate[]): Promise<boolean> {
    const [{ id, ruleId }] = candidates;
    const rule = await this.rules.read(ruleId);
    if (rule?.isEnabled !== true) {
      await this.runs.keep(candidates, new Set());
      return false;
    }
    const thingIds = [...new Set(candidates.map(({ thingId }) => thingId))];
    const matching = await this.inContext(id, async () => {
      const { me } = await this.owners.enter(rule);
      return this.matcher.matching(me, { ...rule.filter, endeavour_id: rule.endeavourId }, thingIds);
    });
    await this.runs.keep(candidates, matching);
    return (await this.runs.countWaiting(ruleId)) >= MOST_WAITING;
  }

  /** Carries out the actions of the run, all or none of them. */
  async run(run: DueRun): Promise<void> {
    const rule = await this.rules.read(run.ruleId);
    if (rule?.isEnabled !== true) return this.runs.cancel(run.ruleId, 'The rule was disabled.');
    await this.inContext(run.id, async () => {
      const owner = await this.owners.enter(rule);
      if (!(await this.runs.isIn(rule.endeavourId, run.thingId))) {
        throw new RefusedRun('not_found', 'The task or demand is no longer in the endeavour of the rule.');
      }
      await this.runs.actAs(rule.id);
      await this.act(run, rule, owner);
    });
    await this.runs.finish([run.id], 'succeeded');
  }

  private async act({ id, thingId }: DueRun, { actions }: RunningRule, { me, bounds }: RuleOwner): Promise<void> {
    for (const action of actions) {
      const request = await this.requests.requestFor(me, action, thingId, { 'x-request-id': id });
      if (request === undefined) continue;
      const { status, body, headers } = await this.subRequests.send(request, { caller: me, confinement: bounds });
      if (status < 400) continue;
      const { error } = JSON.parse(body) as { error: { code: string; message: string } };
      throw new RefusedRun(error.code, error.message, headers.retryAfter);
    }
  }

  /** Its writes have the id of the run as the id of their request. */
  private inContext<T>(requestId: string, work: () => Promise<T>): Promise<T> {
    return this.context.during({ requestId, clientAddress: '' }, work);
  }
}
