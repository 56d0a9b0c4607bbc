import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { serviceAddress } from '../config/address.js';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { isUnavailable } from '../database/connections/driver-errors.js';
import { Loop } from '../jobs/loop.js';
import { Tracing } from '../tracing/tracing.js';
import { MailTransport, UndeliverableError, type AddressedMail } from './mail-transport.js';
import { composeMail } from './compose-mail.js';
import { MailContents } from './mail-contents.js';
import { MailQueue, type ClaimedMail } from './mail-queue.js';
import { MailSecrets } from './mail-secrets.js';

/** The number of mails that are sent at the same time, so that a slow one does not delay the others. */
const PARALLEL_LOOPS = 4;
const PAUSE_MS = 5_000;
const MARK_ATTEMPTS = 10;

/**
 * Sends the mails in the outbox, each at least once, in four steps: claim the mail (committed); compose it (committed
 * with the hash of its code, so that every code that is sent is accepted); send it; mark it as sent. If a process dies
 * before the last step, its claim expires and the mail is sent again, with the same Message-ID and the same code (see
 * {@link MailSecrets}), so that both copies work.
 */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly log = new Logger('Mail');
  private readonly loops = Array.from(
    { length: PARALLEL_LOOPS },
    () => new Loop('mails', () => this.sendNext(), PAUSE_MS),
  );

  constructor(
    private readonly database: Database,
    private readonly queue: MailQueue,
    private readonly contents: MailContents,
    private readonly secrets: MailSecrets,
    private readonly transport: MailTransport,
    private readonly settings: Settings,
    private readonly tracing: Tracing,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.BACKGROUND_JOBS) for (const loop of this.loops) loop.wake();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  /** Starts an idle loop, because there may be a mail to send. */
  wake(): void {
    const loop = this.loops.find(({ isIdle }) => isIdle) ?? this.loops[0];
    if (this.settings.BACKGROUND_JOBS) loop.wake();
  }

  /** Sends all due mails, one after the other. */
  async sendDue(): Promise<void> {
    while (await this.sendNext()) continue;
  }

  private async sendNext(): Promise<boolean> {
    const mail = await this.queue.claim();
    if (mail === undefined) return false;
    // There may be more mails, which another loop can send at the same time.
    this.wake();
    await this.tracing.during(`mail ${mail.kind}`, 'client', { 'worksmith.mail_id': mail.id }, () => this.send(mail));
    return true;
  }

  private async send(mail: ClaimedMail): Promise<void> {
    try {
      const addressed = await this.compose(mail);
      if (addressed === undefined) return await this.queue.finish(mail, 'lapsed');
      await this.transport.send(addressed);
    } catch (error) {
      return this.recordFailure(mail, error);
    }
    await this.markSent(mail);
  }

  private compose({ id, kind, recipient, lang, data }: ClaimedMail): Promise<AddressedMail | undefined> {
    return this.database.transaction(async () => {
      const values = await this.contents.valuesOf(kind, data, this.secrets.attemptOf(id));
      if (values === undefined) return undefined;
      const secret = values.code ?? values.token;
      return {
        ...composeMail(kind, lang, { ...values, url: serviceAddress(this.settings) }),
        id,
        to: recipient,
        ...(secret !== undefined && { secret: String(secret) }),
      };
    });
  }

  private async recordFailure(mail: ClaimedMail, error: unknown): Promise<void> {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    this.log.warn(`${mail.kind} ${mail.id}, attempt ${mail.attempts}: ${reason}`);
    if (error instanceof UndeliverableError) await this.queue.finish(mail, 'failed', reason);
    else await this.queue.postpone(mail, reason);
  }

  /** Retries during a short outage of the database, because a mail that is not marked is sent twice. */
  private async markSent(mail: ClaimedMail): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.queue.finish(mail, 'sent');
      } catch (error) {
        if (attempt === MARK_ATTEMPTS || !isUnavailable(error)) throw error;
        await sleep(500 * attempt);
      }
    }
  }
}
