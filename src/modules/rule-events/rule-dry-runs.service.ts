import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { notFound } from '../../common/errors.js';
import { confinement } from '../../platform/database/transactions/confinement.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { SubRequests } from '../../platform/context/sub-requests.js';
import { FeedHead } from '../activity/feed/feed-head.js';
import { FeedRepository } from '../activity/feed/feed.repository.js';
import { RuleMatcher } from '../rules/rule-matcher.js';
import { RuleRequests } from '../rules/rule-requests.js';
import type { RuleAction } from '../rules/rule.rules.js';
import { RuleRunsRepository } from '../rules/rule-runs.repository.js';
import { RulesRepository } from '../rules/rules.repository.js';

const MOST_EVENTS = 100;
/** The most things whose actions are tried, because each is a request. */
const MOST_TRIED = 20;

/** What a rule would do about an event. */
export interface DryRunOutcome {
  event_id: string;
  event_type: string;
  entity_id: string;
  outcome: 'no_match' | 'would_succeed' | 'would_be_refused' | 'not_tried';
  error_code: string | null;
  error: string | null;
}

type Trial = Pick<DryRunOutcome, 'outcome' | 'error_code' | 'error'>;

const withoutError = (outcome: DryRunOutcome['outcome']): Trial => ({ outcome, error_code: null, error: null });

/** Says what a rule would have done about the latest events of its endeavour, as the caller and without writing. */
@Injectable()
export class RuleDryRuns {
  constructor(
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly feed: FeedRepository,
    private readonly head: FeedHead,
    private readonly matcher: RuleMatcher,
    private readonly requests: RuleRequests,
    private readonly rules: RulesRepository,
    private readonly runs: RuleRunsRepository,
    private readonly subRequests: SubRequests,
  ) {}

  /** Applies the filter to the present state, and tries the actions of each of the newest things once. */
  async run(me: Caller, id: string): Promise<{ events: DryRunOutcome[] }> {
    await this.access.authorizeWithoutLock(me, 'rules_dry_run', id);
    const rule = await this.rules.read(id);
    if (rule === undefined) throw notFound();
    await this.head.assignSequences();
    const latest = await this.feed.latestIn(rule.endeavourId, MOST_EVENTS);
    const triggering = await this.runs.triggering(
      id,
      latest.filter(({ ruleId }) => ruleId === null),
    );
    const thingIds = [...new Set(triggering.map(({ thingId }) => thingId))];
    const filter = { ...rule.filter, endeavour_id: rule.endeavourId };
    const matching = await this.matcher.matching(me, filter, thingIds);
    const tried = new Map<string, Trial>();
    for (const thingId of thingIds.filter((each) => matching.has(each)).slice(0, MOST_TRIED)) {
      tried.set(thingId, await this.try(me, rule.actions, thingId));
    }
    const types = new Map(latest.map(({ eventId, type }) => [eventId, type]));
    return {
      events: triggering.map(({ eventId, thingId }) => ({
        event_id: eventId,
        event_type: types.get(eventId) ?? '',
        entity_id: thingId,
        ...(matching.has(thingId) ? (tried.get(thingId) ?? withoutError('not_tried')) : withoutError('no_match')),
      })),
    };
  }

  /** Each action is tried by itself and rolled back. */
  private async try(me: Caller, actions: readonly RuleAction[], thingId: string): Promise<Trial> {
    const enclosing = { caller: me, confinement: confinement(), isTrial: true as const };
    const headers = { 'x-request-id': this.context.requestId ?? '' };
    for (const action of actions) {
      const request = await this.requests.requestFor(me, action, thingId, headers);
      if (request === undefined) continue;
      const { status, body } = await this.subRequests.send(request, enclosing);
      if (status < 400) continue;
      const { error } = JSON.parse(body) as { error: { code: string; message: string } };
      return { outcome: 'would_be_refused', error_code: error.code, error: error.message };
    }
    return withoutError('would_succeed');
  }
}
