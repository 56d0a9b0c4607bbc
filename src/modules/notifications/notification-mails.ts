import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { mailLanguageOf } from '../../platform/mail/languages.js';
import { MailContents, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { NotificationMailsRepository, type MailReader } from './notification-mails.repository.js';
import { lineOf } from './notification.texts.js';

const EVERY_MS = 60_000;
/** How long the first notification waits for others to be sent in the same mail. */
const GATHERED_MS = 15 * 60_000;
const READERS_AT_ONCE = 100;
const MOST_LINES = 50;

/** Mails notifications to users who want that: at most one mail per quarter of an hour. */
@Injectable()
export class NotificationMails implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly contents: MailContents,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly repository: NotificationMailsRepository,
  ) {}

  onModuleInit(): void {
    this.contents.provide('notifications', ({ user_id, at, lang }) =>
      this.valuesOf(String(user_id), new Date(String(at)), String(lang)),
    );
    this.jobs.every('notification_mails', EVERY_MS, () => this.sendDue());
  }

  private async sendDue(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - GATHERED_MS);
    for (let sent = READERS_AT_ONCE; sent === READERS_AT_ONCE;) {
      const readers = await this.repository.due(before, READERS_AT_ONCE);
      for (const reader of readers) await this.database.transaction(() => this.send(reader, now));
      sent = readers.length;
    }
  }

  private async send({ userId, email, lang }: MailReader, at: Date): Promise<void> {
    if ((await this.repository.gather(userId, at)) === 0) return;
    const data = { user_id: userId, at: at.toISOString(), lang };
    await this.outbox.send({ kind: 'notifications', to: email, lang, data });
  }

  /** Undefined if none of its notifications are visible any more. */
  private async valuesOf(userId: string, at: Date, lang: string): Promise<MailValues | undefined> {
    const found = await this.repository.contents(userId, at, MOST_LINES);
    if (found === undefined || found.items.length === 0) return undefined;
    const language = mailLanguageOf(lang);
    const items = found.items.map((item) => lineOf(item, language)).join('\n');
    return { name: found.name, count: found.items.length, items };
  }
}
