import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import type { Caller } from './caller.js';

/** Finds the caller behind a session: one indexed statement per request, so that nothing about rights is ever stale. */
@Injectable()
export class Callers {
  constructor(private readonly database: Database) {}

  /** Undefined where the session ended or expired (by the database's clock) or its user is not active. */
  bySession(sessionId: string): Promise<Caller | undefined> {
    return this.database.glance<Caller>(
      `SELECT s.id AS "sessionId", u.id AS "userId", u.resource_id AS "resourceId", u.name,
              u.is_admin AS "isAdmin", u.tier
       FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND u.status = 'active'`,
      [sessionId],
    );
  }
}
