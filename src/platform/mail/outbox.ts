import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Clock } from '../jobs/clock.js';
import { Metrics, readQueue } from '../metrics/metrics.js';
import { URGENT_KINDS, type MailKind, type MailStatus } from './mail-kinds.js';
import { MailWorker } from './mail-worker.js';

/** A mail to be sent. `lang` is a BCP 47 tag; `data` is passed to the MailSource of its kind, without secrets. */
export interface OutgoingMail {
  kind: MailKind;
  to: string;
  lang: string;
  data: Record<string, unknown>;
  /** The key for {@link Outbox.statusOf}. */
  reference?: string;
  /** The resource of the person who causes the mail; senders take turns. */
  sender?: string | null;
}

/** Accepts mails in the current transaction; a mail is not sent if the transaction is rolled back. */
@Injectable()
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly worker: MailWorker,
    metrics: Metrics,
  ) {
    metrics.queue('mails', () =>
      readQueue(database, `outbox WHERE status = 'pending' AND due_at <= $1`, [clock.now()]),
    );
  }

  send(mail: OutgoingMail): Promise<void> {
    return this.sendAll([mail]);
  }

  /** Accepts any number of mails in one statement. */
  async sendAll(mails: readonly OutgoingMail[]): Promise<void> {
    if (mails.length === 0) return;
    await this.database.query(
      `INSERT INTO outbox (kind, recipient, lang, data, reference, sender, turn, due_at)
       SELECT mail.kind, mail."to", mail.lang, mail.data, mail.reference, mail.sender,
         CASE WHEN mail.kind = ANY($3) THEN 0 ELSE coalesce(earlier.waiting, 0)
           + row_number() OVER (PARTITION BY mail.kind = ANY($3), mail.sender ORDER BY mail.number) END,
         $2::timestamptz
       FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS
         (kind text, "to" text, lang text, data jsonb, reference text, sender text)) WITH ORDINALITY
         AS mail (kind, "to", lang, data, reference, sender, number)
       LEFT JOIN (SELECT o.sender, count(*) FILTER (WHERE o.status = 'pending') AS waiting FROM outbox o
         WHERE o.sender = ANY($4) AND o.created_at > now() - interval '1 day' GROUP BY o.sender) earlier USING (sender)`,
      [
        JSON.stringify(mails),
        this.clock.now(),
        URGENT_KINDS,
        [...new Set(mails.flatMap(({ sender }) => sender ?? []))],
      ],
    );
    this.database.afterCommit(() => this.worker.wake());
  }

  /** The status of the newest mail with that reference. */
  async statusOf(reference: string): Promise<MailStatus | undefined> {
    const row = await this.database.one<{ status: MailStatus }>(
      'SELECT status FROM outbox WHERE reference = $1 ORDER BY created_at DESC LIMIT 1',
      [reference],
    );
    return row?.status;
  }
}
