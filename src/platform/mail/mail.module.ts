import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { MailTransport } from './mail-transport.js';
import { FileTransport } from './file-transport.js';
import { MailContents } from './mail-contents.js';
import { MailQueue } from './mail-queue.js';
import { MailSecrets } from './mail-secrets.js';
import { MailWorker } from './mail-worker.js';
import { Outbox } from './outbox.js';
import { SmtpTransport } from './smtp-transport.js';

const transport = {
  provide: MailTransport,
  inject: [Settings],
  useFactory: ({ SMTP_URL, DATA_DIR, MAIL_FROM }: Settings): MailTransport =>
    SMTP_URL === undefined
      ? new FileTransport(join(DATA_DIR, 'mail'), MAIL_FROM)
      : new SmtpTransport(SMTP_URL, MAIL_FROM),
};

/** Provides the outbox, and the registry of mail contents. */
@Global()
@Module({
  providers: [MailContents, MailQueue, MailSecrets, MailWorker, Outbox, transport],
  exports: [MailContents, Outbox],
})
export class MailModule {}
