import { Injectable } from '@nestjs/common';
import { keeping, Refusal } from '../../common/errors.js';
import type { Actor } from '../../platform/changes/actor.js';
import type { Gatekeeper, Move, Obstacle } from '../../platform/gates/gates.js';
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
  async pass(me: Actor, { merged }: Move): Promise<string | null> {
    const examined = await this.checks.examine(me, merged, true);
    if (examined.policy === undefined) return null;
    const check = await this.checks.keep(me, examined);
    if (passes(examined.verdict)) return check.id;
    const message = `The task does not meet the Definition of Done. ${examined.verdict.hint ?? ''}`.trimEnd();
    throw keeping(new Refusal('dod_not_met', message, check.read(checkView)));
  }

  async obstacles(me: Actor, { merged }: Move): Promise<Obstacle[]> {
    const { verdict } = await this.checks.examine(me, merged, true);
    return obstaclesOf(verdict);
  }
}
