import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Carrier } from './carrier.js';
import { FileCarrier } from './file-carrier.js';
import { MailContents } from './mail-contents.js';
import { MailQueue } from './mail-queue.js';
import { MailSecrets } from './mail-secrets.js';
import { MailWorker } from './mail-worker.js';
import { Outbox } from './outbox.js';
import { SmtpCarrier } from './smtp-carrier.js';

const carrier = {
  provide: Carrier,
  inject: [Settings],
  useFactory: ({ SMTP_URL, DATA_DIR, MAIL_FROM }: Settings): Carrier =>
    SMTP_URL === undefined ? new FileCarrier(join(DATA_DIR, 'mail'), MAIL_FROM) : new SmtpCarrier(SMTP_URL, MAIL_FROM),
};

/** Hands out the outbox, and the place where areas say what their mails contain. */
@Global()
@Module({
  providers: [MailContents, MailQueue, MailSecrets, MailWorker, Outbox, carrier],
  exports: [MailContents, Outbox],
})
export class MailModule {}
