import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { claimNext } from '../jobs/claim.js';
import { Clock } from '../jobs/clock.js';
import { Metrics } from '../metrics/metrics.js';
import type { MailKind } from './mail-kinds.js';

/** A mail that only this process may send, until its claim expires. */
export interface ClaimedMail {
  id: string;
  kind: MailKind;
  recipient: string;
  lang: string;
  data: Record<string, unknown>;
  attempts: number;
  createdAt: Date;
}

/** Longer than sending can take; a worker that holds a claim longer is considered dead. */
const CLAIM = '3 minutes';
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

const CLAIM_NEXT = claimNext({
  table: 'outbox',
  key: 'id',
  counter: 'attempts',
  isDue: `status = 'pending' AND due_at <= $1`,
  order: 'turn, due_at',
  period: CLAIM,
  returning: 'id, kind, recipient, lang, data, attempts, created_at AS "createdAt"',
});

/** Claims mails of the outbox for the workers: one worker at a time handles a mail, on any replica. */
@Injectable()
export class MailQueue {
  private readonly count: (outcome: string) => void;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const help =
      'Mails by outcome: sent, retried later, failed for good, or lapsed because nobody needs them any more.';
    this.count = metrics.counter('mails', help, 'outcome', ['sent', 'retried', 'failed', 'lapsed']);
  }

  /** Claims the next mail: codes first, then the senders in turns. */
  claim(): Promise<ClaimedMail | undefined> {
    return this.database.one<ClaimedMail>(CLAIM_NEXT, [this.clock.now()]);
  }

  /** Takes effect only while this process holds the claim, because another one may have taken over. */
  async finish(mail: ClaimedMail, status: 'sent' | 'failed' | 'lapsed', reason: string | null = null): Promise<void> {
    await this.database.query(
      `UPDATE outbox SET status = $3, finished_at = now(), locked_until = NULL, last_error = coalesce($4, last_error)
       WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
      [mail.id, mail.attempts, status, reason],
    );
    this.count(status);
  }

  /** Reschedules the mail, or gives it up after a day. */
  async postpone(mail: ClaimedMail, reason: string): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - mail.createdAt.getTime() > GIVE_UP_AFTER_MS) return this.finish(mail, 'failed', reason);
    await this.database.query(
      `UPDATE outbox SET due_at = $3, locked_until = NULL, last_error = $4
       WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
      [mail.id, mail.attempts, new Date(now + pauseAfter(mail.attempts)), reason],
    );
    this.count('retried');
  }
}

/** Doubles after each attempt, with a random part, so that mails that failed together are not retried together. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(MIN_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), MAX_PAUSE_MS);
  return pause * (0.5 + Math.random());
}
