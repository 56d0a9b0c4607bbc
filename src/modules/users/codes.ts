import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { RequestContext } from '../../platform/http/request-context.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Limits } from '../../platform/limits/limits.js';
import type { CodePurpose } from './code.entity.js';

const MOST_PER_ADDRESS = 5;
const MOST_IN_ALL = 50;
const MOST_LIVE = 3;

/** How long each sort of code is good for, in minutes. */
export const CODE_MINUTES: Readonly<Record<CodePurpose, number>> = { verification: 60, reset: 15, email_change: 60 };

/** What a code is bound to (see the entity). */
export interface Binding {
  purpose: CodePurpose;
  scope: string;
  subject: string;
}

/** Who asked for a code: the client's network, and whether the account signed in from there before. */
export interface Request {
  askedFrom: string;
  isFromKnown: boolean;
}

/** The request that the data of a mail remember; an administrator's has no network. */
export const requestIn = ({ askedFrom, isFromKnown }: Record<string, unknown>): Request => ({
  askedFrom: typeof askedFrom === 'string' ? askedFrom : '',
  isFromKnown: isFromKnown === true,
});

/** A code that was guessed right, and not yet used. */
export interface Match extends Binding {
  id: string;
}

interface Candidate {
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

/** Keeps the codes that mails carry: single use, few guesses, never more than a keyed hash. */
@Injectable()
export class Codes implements OnModuleInit {
  private readonly key = this.secrets.keyFor('code');

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly context: RequestContext,
    private readonly housekeeping: Housekeeping,
    private readonly limits: Limits,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('codes', "expires_at < now() - interval '1 day'");
  }

  /** The request under way, as the mail that answers it is to remember it. */
  request(isFromKnown = false): Request {
    return { askedFrom: this.context.clientNetwork, isFromKnown };
  }

  /**
   * Keeps the code that a mail is about to carry. The one that was asked for before it from the same network, for the
   * same subject, is void; of the others so many stay that three are alive, those from known addresses first, so that
   * requests of strangers do not void the code that the owner asked for.
   */
  async keep(mailId: string, code: string, binding: Binding, { askedFrom, isFromKnown }: Request): Promise<void> {
    const { purpose, scope, subject } = binding;
    await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp() WHERE id IN (
         SELECT id FROM (
           SELECT c.id, c.subject = $3 AND c.asked_from = $5 AS is_replaced,
             row_number() OVER (PARTITION BY c.subject = $3 AND c.asked_from = $5
               ORDER BY c.is_from_known DESC, c.created_at DESC, c.id) AS place
           FROM codes c JOIN held ON held.id = c.id WHERE c.id <> $4 AND c.expires_at > clock_timestamp()) live
         WHERE is_replaced OR place >= $6)`,
      [purpose, scope, subject, mailId, askedFrom, MOST_LIVE],
    );
    await this.database.query(
      `INSERT INTO codes (id, purpose, scope, subject, hash, asked_from, is_from_known, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(mins => $8)) ON CONFLICT (id) DO NOTHING`,
      [mailId, purpose, scope, subject, this.hashOf(binding, code), askedFrom, isFromKnown, CODE_MINUTES[purpose]],
    );
  }

  /**
   * Counts an attempt and checks it. The count is committed before the comparison, by one UPDATE that accepts no
   * attempt above the limit, so that concurrent attempts cannot exceed it. The same statements run without a code; the
   * commit does not wait for the disk, whose latency would reveal the difference.
   */
  async guess(purpose: CodePurpose, scope: string, given: string): Promise<Match | undefined> {
    const code = given.trim().toLowerCase();
    const candidates = await this.database.inNewTransaction(async () => {
      await this.database.query(`SELECT set_config('synchronous_commit', 'off', true)`);
      return this.database.query<Candidate>(
        `${HELD}
         UPDATE codes SET attempts = attempts + 1, attempts_from =
           attempts_from || jsonb_build_object($3::text, coalesce((attempts_from ->> $3)::integer, 0) + 1)
         FROM held WHERE codes.id = held.id AND ended_at IS NULL AND expires_at > clock_timestamp()
           AND attempts < $4 AND coalesce((attempts_from ->> $3)::integer, 0) < $5
         RETURNING codes.id, subject, hash`,
        [
          purpose,
          scope,
          this.context.clientNetwork,
          MOST_IN_ALL,
          this.limits.isExempt ? MOST_IN_ALL : MOST_PER_ADDRESS,
        ],
      );
    });
    const nothing: Candidate = { id: '', subject: '', hash: this.hashOf({ purpose, scope, subject: '' }, '') };
    const tried = candidates.length > 0 ? candidates : [nothing];
    const right = tried.filter((candidate) =>
      this.isRight({ purpose, scope, subject: candidate.subject }, code, candidate),
    );
    return right.map(({ id, subject }) => ({ id, purpose, scope, subject }))[0];
  }

  /** Consumes the code in the transaction of its effect; false if a concurrent request was faster. */
  async use({ id, purpose, scope }: Match): Promise<boolean> {
    const rows = await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp()
       WHERE id = $3 AND ended_at IS NULL AND expires_at > clock_timestamp() AND (SELECT count(*) FROM held) > 0
       RETURNING 1`,
      [purpose, scope, id],
    );
    return rows.length > 0;
  }

  /** Ends every code of that purpose that is waiting there, but that of one mail. */
  async endAll(purpose: CodePurpose, scope: string, exceptMailId: string | null = null): Promise<void> {
    await this.database.query(
      `${HELD}
       UPDATE codes SET ended_at = clock_timestamp() FROM held
       WHERE codes.id = held.id AND ended_at IS NULL AND codes.id IS DISTINCT FROM $3::uuid`,
      [purpose, scope, exceptMailId],
    );
  }

  private isRight(binding: Binding, code: string, { id, hash }: Candidate): boolean {
    const isEqual = timingSafeEqual(Buffer.from(hash), Buffer.from(this.hashOf(binding, code)));
    return isEqual && id !== '';
  }

  private hashOf({ purpose, scope, subject }: Binding, code: string): string {
    return createHmac('sha256', this.key).update([purpose, scope, subject, code].join('\n')).digest('base64url');
  }
}
