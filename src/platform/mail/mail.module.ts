import { Global, Module } from '@nestjs/common';
import { MailContents } from './mail-contents.js';
import { Outbox } from './outbox.js';

/** Hands out the outbox, and the place where areas say what their mails contain. */
@Global()
@Module({ providers: [MailContents, Outbox], exports: [MailContents, Outbox] })
export class MailModule {}
