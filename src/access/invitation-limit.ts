import { Injectable } from '@nestjs/common';
import { Settings } from '../platform/config/settings.js';
import { Limits } from '../platform/limits/limits.js';

const HOUR = 3600;

/** Limits how many people a user can invite, or add by id, per hour. */
@Injectable()
export class InvitationLimit {
  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  /** Counts one invitation in the current transaction, so that only successful requests count; 429 over the limit. */
  consume(userId: string): Promise<void> {
    const limit = { name: 'invitations', most: this.settings.LIMIT_INVITATIONS_PER_HOUR, seconds: HOUR };
    return this.limits.consumeInTransaction(limit, userId);
  }
}
