import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Clock } from '../jobs/clock.js';
import type { MailKind, MailStatus } from './mail-kinds.js';
import { MailWorker } from './mail-worker.js';

/** A mail to be sent. `lang` is a BCP 47 tag; `data` goes to the {@link MailContents} of its kind and holds no secret. */
export interface OutgoingMail {
  kind: MailKind;
  to: string;
  lang: string;
  data: Record<string, unknown>;
  /** By which {@link Outbox.outcome} finds it. */
  reference?: string;
}

/** Takes mails. They belong to the transaction they are written in: what is rolled back is never sent. */
@Injectable()
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly worker: MailWorker,
  ) {}

  send(letter: OutgoingMail): Promise<void> {
    return this.sendAll([letter]);
  }

  /** Takes any number of mails in one statement. */
  async sendAll(letters: readonly OutgoingMail[]): Promise<void> {
    if (letters.length === 0) return;
    await this.database.query(
      `INSERT INTO outbox (kind, recipient, lang, data, reference, due_at)
       SELECT letter.kind, letter."to", letter.lang, letter.data, letter.reference, $2::timestamptz
       FROM jsonb_to_recordset($1::jsonb) AS letter (kind text, "to" text, lang text, data jsonb, reference text)`,
      [JSON.stringify(letters), this.clock.now()],
    );
    this.database.afterCommit(() => this.worker.wake());
  }

  /** What became of the newest mail with that reference. */
  async outcome(reference: string): Promise<MailStatus | undefined> {
    const row = await this.database.one<{ status: MailStatus }>(
      'SELECT status FROM outbox WHERE reference = $1 ORDER BY created_at DESC LIMIT 1',
      [reference],
    );
    return row?.status;
  }
}
