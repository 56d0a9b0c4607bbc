import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';

/** Called before an endeavour, which is locked, leaves its home organization. */
type LeavingObserver = (me: Caller, endeavourId: string, organizationId: string) => Promise<void>;

/**
 * Registers and calls features that copy data of the home organization into an endeavour before it leaves the
 * organization. The endeavours feature does not depend on them.
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
