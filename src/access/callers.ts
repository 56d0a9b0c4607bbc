import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import type { Caller } from './caller.js';

const MOST_REMEMBERED = 10_000;

/** Finds the caller behind a session: one indexed statement per request, so that nothing about rights is ever stale. */
@Injectable()
export class Callers {
  private readonly known = new Map<string, Caller>();

  constructor(private readonly database: Database) {}

  /** Undefined where the session ended or expired (by the database's clock) or its user is not active. */
  async bySession(sessionId: string): Promise<Caller | undefined> {
    const caller = await this.database.glance<Caller>(
      `SELECT s.id AS "sessionId", u.id AS "userId", u.resource_id AS "resourceId", u.name,
              u.is_admin AS "isAdmin", u.tier
       FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'`,
      [sessionId],
    );
    if (caller === undefined) this.known.delete(sessionId);
    else this.remember(caller);
    return caller;
  }

  /** Who it was when it was last looked: good for a guess that is checked, never for a decision. */
  lastSeen(sessionId: string): Caller | undefined {
    return this.known.get(sessionId);
  }

  private remember(caller: Caller): void {
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(caller.sessionId, caller);
  }
}

/** Whether both have the same identity and rights. */
export const isSameCaller = (one: Caller, other: Caller): boolean =>
  one.sessionId === other.sessionId &&
  one.userId === other.userId &&
  one.resourceId === other.resourceId &&
  one.name === other.name &&
  one.isAdmin === other.isAdmin &&
  one.tier === other.tier;
