import { Injectable } from '@nestjs/common';
import { Sessions } from '../../access/authentication/sessions.js';
import type { Actor } from '../../platform/context/actor.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Whether others than the user may have entered the account. */
type EntryCheck = (userId: string) => Promise<boolean>;

/** Keeps what was made of an account before its user became an administrator from getting the rights of one (spec/12). */
@Injectable()
export class Promotions {
  private readonly checks: EntryCheck[] = [];

  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
  ) {}

  /** Registers a feature by which others can enter an account. */
  register(check: EntryCheck): void {
    this.checks.push(check);
  }

  /** Ends all sessions and access tokens of the account if others may hold one; its user signs in again. */
  async secure(actor: Actor, userId: string): Promise<void> {
    const entered = await Promise.all(this.checks.map((check) => check(userId)));
    if (!entered.includes(true)) return;
    await this.sessions.endAll(userId);
    await this.tokens.endAll(actor, userId);
  }
}
