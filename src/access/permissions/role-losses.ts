import { Injectable } from '@nestjs/common';
import type { Granter } from '../memberships/membership-rows.js';

interface LossObserver {
  /** Called after a role of a user has ended or fallen. */
  lost: (actor: Granter, userId: string) => Promise<void>;
  /** The endeavours that `lost` can lock. */
  endeavoursOf: (userId: string) => Promise<string[]>;
}

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

  /**
   * The endeavours that {@link announce} can lock. They are locked before a membership of an organization changes,
   * because a transaction that has locked an endeavour waits for memberships of its home.
   */
  async endeavoursOf(userId: string): Promise<string[]> {
    const endeavours = new Set<string>();
    for (const observer of this.observers) {
      for (const id of await observer.endeavoursOf(userId)) endeavours.add(id);
    }
    return [...endeavours].toSorted();
  }

  async announce(actor: Granter, userId: string): Promise<void> {
    for (const observer of this.observers) await observer.lost(actor, userId);
  }
}
