import { Injectable } from '@nestjs/common';
import { keeping, Refusal } from '../../common/errors.js';
import type { Actor } from '../../platform/changes/actor.js';
import type { Gatekeeper, Move, Obstacle, Passage } from '../../platform/gates/gates.js';
import { obstaclesOf, passes } from './check.rules.js';
import { Checks } from './checks.service.js';
import { checkView } from './check.view.js';

/** Lets a task be done only where it meets the policy of its endeavour, or an admin there lets it pass. */
@Injectable()
export class DoneGate implements Gatekeeper {
  readonly kind = 'task';
  readonly to = 'done';

  constructor(private readonly checks: Checks) {}

  /** The check is kept in either case, although a refusal takes everything else back. */
  async pass(me: Actor, { merged, touched }: Move): Promise<Passage> {
    const examined = await this.checks.examine(me, merged, { isClosing: true, touched });
    if (examined.policy === undefined) return { recordId: null, result: 'no_policy' };
    const check = await this.checks.keep(me, examined);
    if (passes(examined.verdict)) {
      return { recordId: check.id, result: examined.verdict.result === 'met' ? 'met' : 'overridden' };
    }
    const message = `The task does not meet the Definition of Done. ${examined.verdict.hint ?? ''}`.trimEnd();
    throw keeping(new Refusal('dod_not_met', message, check.read(checkView)));
  }

  async obstacles(me: Actor, { merged, touched }: Move): Promise<Obstacle[]> {
    const { verdict } = await this.checks.examine(me, merged, { isClosing: true, touched });
    return obstaclesOf(verdict);
  }
}
