import { Injectable } from '@nestjs/common';
import type { Granter } from './membership-rows.js';

/** Called after a role of a user has ended or fallen. */
type LossObserver = (actor: Granter, userId: string) => Promise<void>;

/**
 * Registers and calls features that end what a user could do only with a role that the user no longer has. The
 * memberships do not depend on them.
 */
@Injectable()
export class RoleLosses {
  private readonly observers: LossObserver[] = [];

  register(observer: LossObserver): void {
    this.observers.push(observer);
  }

  async announce(actor: Granter, userId: string): Promise<void> {
    for (const observer of this.observers) await observer(actor, userId);
  }
}
