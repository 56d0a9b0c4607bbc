import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Clock } from '../jobs/clock.js';
import type { MailKind, MailStatus } from './mail-kinds.js';
import { MailWorker } from './mail-worker.js';

/** A mail to be sent. `lang` is a BCP 47 tag; `data` goes to the {@link MailContents} of its kind and holds no secret. */
export interface Letter {
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

  async send({ kind, to, lang, data, reference }: Letter): Promise<void> {
    await this.database.query(
      'INSERT INTO outbox (kind, recipient, lang, data, reference, due_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [kind, to, lang, JSON.stringify(data), reference ?? null, this.clock.now()],
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
