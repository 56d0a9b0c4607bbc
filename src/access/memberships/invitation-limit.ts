import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Limits } from '../../platform/limits/limits.js';

const HOUR = 3600;

/**
 * Limits how many people a user can invite, or add by id, per hour. Additions have a high limit of their own, because
 * only administrators add people, and only those who already belong to their organizations.
 */
@Injectable()
export class InvitationLimit {
  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  /** Counts invitations in the current transaction, so that only successful requests count; 429 over the limit. */
  consume(userId: string, invitations = 1): Promise<void> {
    const limit = {
      name: 'invitations',
      counts: 'invitations of one inviter',
      most: this.settings.LIMIT_INVITATIONS_PER_HOUR,
      seconds: HOUR,
      setting: 'LIMIT_INVITATIONS_PER_HOUR',
    } as const;
    return this.limits.consumeInTransaction(limit, userId, invitations);
  }

  /** Counts one addition by id in the current transaction; 429 over the limit. */
  consumeAddition(userId: string): Promise<void> {
    const limit = {
      name: 'additions',
      counts: 'additions of people by one user',
      most: this.settings.LIMIT_ADDITIONS_PER_HOUR,
      seconds: HOUR,
      setting: 'LIMIT_ADDITIONS_PER_HOUR',
    } as const;
    return this.limits.consumeInTransaction(limit, userId);
  }
}
