import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import type { CodePurpose } from './code.entity.js';

/** The purpose, scope and subject of a code (see the entity). */
export interface CodeBinding {
  purpose: CodePurpose;
  scope: string;
  subject: string;
}

/** The network from which a code was requested, and whether the user has signed in from there before. */
export interface CodeRequest {
  askedFrom: string;
  isFromKnown: boolean;
}

/** A pending code to compare with the entered code. */
export interface CodeCandidate {
  id: string;
  subject: string;
  hash: string;
}

/**
 * The pending codes for a purpose and scope ($1 and $2), locked in the order of their ids: several can exist for one
 * address, and different orders could deadlock.
 */
const HELD = `WITH held AS (
  SELECT id FROM codes WHERE purpose = $1 AND scope = $2 AND ended_at IS NULL ORDER BY id FOR UPDATE)`;

/** Reads and writes codes. */
@Injectable()
export class CodesRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('codes', "expires_at < now() - interval '1 day'");
  }

  /**
   * Ends the codes that the code of the mail replaces: those for the same subject that were requested from the same
   * network, and the oldest others if more than `mostLive` codes would be valid. Codes from known networks end last.
   */
  async endReplaced(
    { purpose, scope, subject }: CodeBinding,
    { mailId, askedFrom, mostLive }: { mailId: string; askedFrom: string; mostLive: number },
  ): Promise<void> {
    await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp() WHERE id IN (
         SELECT id FROM (
           SELECT c.id, c.subject = $3 AND c.asked_from = $5 AS is_replaced,
             row_number() OVER (PARTITION BY c.subject = $3 AND c.asked_from = $5
               ORDER BY c.is_from_known DESC, c.created_at DESC, c.id) AS place
           FROM codes c JOIN held ON held.id = c.id WHERE c.id <> $4 AND c.expires_at > clock_timestamp()) live
         WHERE is_replaced OR place >= $6)`,
      [purpose, scope, subject, mailId, askedFrom, mostLive],
    );
  }

  /** Stores the code of a mail; has no effect if the mail already has one. */
  async store(
    mailId: string,
    hash: string,
    { purpose, scope, subject }: CodeBinding,
    { askedFrom, isFromKnown, minutes }: CodeRequest & { minutes: number },
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO codes (id, purpose, scope, subject, hash, asked_from, is_from_known, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(mins => $8)) ON CONFLICT (id) DO NOTHING`,
      [mailId, purpose, scope, subject, hash, askedFrom, isFromKnown, minutes],
    );
  }

  /**
   * Counts an attempt from the network and commits it without waiting for the disk. Returns the codes that can still be
   * tried; a single UPDATE enforces the limits for concurrent attempts.
   */
  countAttempt(
    purpose: CodePurpose,
    scope: string,
    { clientNetwork, mostInAll, mostPerNetwork }: { clientNetwork: string; mostInAll: number; mostPerNetwork: number },
  ): Promise<CodeCandidate[]> {
    return this.database.inNewTransaction(async () => {
      await this.database.query(`SELECT set_config('synchronous_commit', 'off', true)`);
      return this.database.query<CodeCandidate>(
        `${HELD}
         UPDATE codes SET attempts = attempts + 1, attempts_from =
           attempts_from || jsonb_build_object($3::text, coalesce((attempts_from ->> $3)::integer, 0) + 1)
         FROM held WHERE codes.id = held.id AND ended_at IS NULL AND expires_at > clock_timestamp()
           AND attempts < $4 AND coalesce((attempts_from ->> $3)::integer, 0) < $5
         RETURNING codes.id, subject, hash`,
        [purpose, scope, clientNetwork, mostInAll, mostPerNetwork],
      );
    });
  }

  /** Ends a valid code; false if it is no longer valid. */
  async end({ id, purpose, scope }: { id: string; purpose: CodePurpose; scope: string }): Promise<boolean> {
    const rows = await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp()
       WHERE id = $3 AND ended_at IS NULL AND expires_at > clock_timestamp() AND (SELECT count(*) FROM held) > 0
       RETURNING 1`,
      [purpose, scope, id],
    );
    return rows.length > 0;
  }

  /** Deletes all codes of the user or the address, locked in the order of their ids. */
  async deleteOf(userId: string, email: string): Promise<void> {
    await this.database.query(
      `WITH held AS (SELECT id FROM codes WHERE subject = $1 OR scope IN ($1, $2) ORDER BY id FOR UPDATE)
       DELETE FROM codes USING held WHERE codes.id = held.id`,
      [userId, email],
    );
  }

  async endAll(purpose: CodePurpose, scope: string, exceptMailId: string | null): Promise<void> {
    await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp() FROM held
       WHERE codes.id = held.id AND ended_at IS NULL AND codes.id IS DISTINCT FROM $3::uuid`,
      [purpose, scope, exceptMailId],
    );
  }
}
