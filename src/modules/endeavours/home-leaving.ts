import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';

/** What a feature does for an endeavour that is about to leave its home organization; the endeavour is locked. */
export type LeavingObserver = (me: Caller, endeavourId: string, organizationId: string) => Promise<void>;

/**
 * Registry for features that copy data of the home organization when an endeavour leaves it; endeavours do not know
 * them.
 */
@Injectable()
export class HomeLeaving {
  private readonly observers: LeavingObserver[] = [];

  register(observer: LeavingObserver): void {
    this.observers.push(observer);
  }

  async announce(me: Caller, endeavourId: string, organizationId: string): Promise<void> {
    for (const observer of this.observers) await observer(me, endeavourId, organizationId);
  }
}
