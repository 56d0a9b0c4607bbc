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
/** The time that a notification waits for others to be sent in the same mail. */
const GATHERING_MS = 15 * 60_000;
const BATCH_SIZE = 100;
const MAX_LINES = 50;

/** Mails notifications to users who have chosen mails: at most one mail per quarter of an hour. */
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
    const before = new Date(now.getTime() - GATHERING_MS);
    for (let sent = BATCH_SIZE; sent === BATCH_SIZE;) {
      const readers = await this.repository.due(before, BATCH_SIZE);
      for (const reader of readers) await this.database.transaction(() => this.send(reader, now));
      sent = readers.length;
    }
  }

  private async send({ userId, email, lang }: MailReader, at: Date): Promise<void> {
    if ((await this.repository.gather(userId, at)) === 0) return;
    const data = { user_id: userId, at: at.toISOString(), lang };
    await this.outbox.send({ kind: 'notifications', to: email, lang, data });
  }

  /** The values of the mail; undefined if none of its notifications are visible any more. */
  private async valuesOf(userId: string, at: Date, lang: string): Promise<MailValues | undefined> {
    const contents = await this.repository.contents(userId, at, MAX_LINES);
    if (contents === undefined || contents.items.length === 0) return undefined;
    const language = mailLanguageOf(lang);
    const items = contents.items.map((item) => lineOf(item, language)).join('\n');
    return { name: contents.name, count: contents.items.length, items };
  }
}
