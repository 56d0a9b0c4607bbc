import { Injectable } from '@nestjs/common';
import { committing, ApiError } from '../../common/errors.js';
import type { Actor, ResourceScope } from '../../platform/context/actor.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import type {
  TransitionGuard,
  RequestedTransition,
  TransitionObstacle,
  GuardDecision,
} from '../../platform/transitions/transition-guards.js';
import { obstaclesOf, passes } from './results/check.rules.js';
import { ChecksService } from './results/checks.service.js';
import { checkView } from './results/check.view.js';
import { EvidenceRepository } from './results/evidence.repository.js';

/** Rejects the transition of a task to `done` unless it meets the policy of its endeavour or has an override. */
@Injectable()
export class DoneTransitionGuard implements TransitionGuard {
  readonly kind = 'task';
  readonly to = 'done';

  constructor(
    private readonly checks: ChecksService,
    private readonly events: EventRecorder,
    private readonly evidence: EvidenceRepository,
  ) {}

  /** Stores the check also for a rejected transition, which rolls back everything else. */
  async assertAllowed(me: Actor, { merged, touched }: RequestedTransition): Promise<GuardDecision> {
    const outcome = await this.checks.check(me, merged, { isClosing: true, touched });
    if (outcome.policy === undefined) return { recordId: null, result: 'no_policy' };
    const check = await this.checks.store(me, outcome);
    if (passes(outcome.verdict)) {
      return { recordId: check.id, result: outcome.verdict.result === 'met' ? 'met' : 'overridden' };
    }
    const message = `The task does not meet the Definition of Done. ${outcome.verdict.hint ?? ''}`.trimEnd();
    throw committing(new ApiError('dod_not_met', message, check.read(checkView)));
  }

  /** Records which verdicts the result of the done task rested on, so that those who gave them are notified. */
  async onInvalidated(me: Actor, id: string, place: ResourceScope): Promise<void> {
    const { checkId, approverIds } = await this.evidence.lastCheckOf(id);
    await this.events.record(me, 'task', id, place, {
      type: 'dod.changed',
      audience: approverIds,
      data: { task_id: id, check_id: checkId, approver_ids: approverIds },
    });
  }

  async obstacles(me: Actor, { merged, touched }: RequestedTransition): Promise<TransitionObstacle[]> {
    const { verdict } = await this.checks.check(me, merged, { isClosing: true, touched });
    return obstaclesOf(verdict);
  }
}
