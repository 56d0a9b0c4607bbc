import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { mailLanguageOf } from '../../platform/mail/languages.js';
import { MailContents, type MailValues } from '../../platform/mail/mail-contents.js';
import { Outbox, type OutgoingMail } from '../../platform/mail/outbox.js';
import { MessageCopiesRepository, type GatheredCopies } from './message-copies.repository.js';
import { itemsOf } from './message-copy.texts.js';

const EVERY_MS = 10_000;
/** The time after a mail in which no further one is sent to the same user. */
const GATHERING_MS = 15 * 60_000;
const BATCH_SIZE = 100;
const MAX_ITEMS = 50;

/**
 * Mails copies of messages to users who want them: the first one within seconds, and those that follow together, at most
 * one mail per quarter of an hour.
 */
@Injectable()
export class MessageCopies implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly contents: MailContents,
    private readonly copies: MessageCopiesRepository,
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.contents.provide('message_copy', async ({ delivery_id }) => {
      const contents = await this.copies.contents(String(delivery_id), 1);
      return contents && { name: contents.name, ...contents.items[0] };
    });
    this.contents.provide('message_copies', ({ mail, lang }) => this.valuesOf(String(mail), String(lang)));
    // A mail is given up a day after its copies were gathered.
    this.housekeeping.discard('message_copies', "created_at < now() - interval '2 days'");
    this.jobs.every('message_copies', EVERY_MS, () => this.sendDue());
  }

  private async sendDue(): Promise<void> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - GATHERING_MS);
    for (let sent = BATCH_SIZE; sent === BATCH_SIZE;) {
      sent = await this.database.transaction(async () => {
        const gathered = await this.copies.gather(now, since, BATCH_SIZE);
        await this.outbox.sendAll(gathered.map(mailOf));
        return gathered.length;
      });
    }
  }

  private async valuesOf(mail: string, lang: string): Promise<MailValues | undefined> {
    const contents = await this.copies.contents(mail, MAX_ITEMS);
    if (contents === undefined) return undefined;
    const { name, count, items } = contents;
    return { name, count, items: itemsOf(items, count, mailLanguageOf(lang)) };
  }
}

const mailOf = ({ userId, email, lang, mail, count, senderId }: GatheredCopies): OutgoingMail => ({
  kind: count === 1 ? 'message_copy' : 'message_copies',
  to: email,
  lang,
  data: count === 1 ? { delivery_id: mail } : { user_id: userId, mail, lang },
  reference: mail,
  sender: senderId,
});
