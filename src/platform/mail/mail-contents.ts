import { Injectable } from '@nestjs/common';
import type { MailKind } from './mail-kinds.js';

/** One mail, the same at every attempt to send it. */
export interface MailAttempt {
  /** Its id in the outbox. */
  id: string;
  /**
   * A random code (`xxx-xxx-xxx`) or token. Every attempt to send the same mail uses the same one: if a crash leaves
   * open whether a mail was sent, it is sent again, and both copies must work.
   */
  code: () => string;
  token: () => string;
}

/** The values for the texts of a mail. */
export type MailValues = Record<string, string | number>;

/** Determines the content of a mail and creates its code. Undefined if the mail is no longer needed. */
export type MailSource = (data: Record<string, unknown>, mail: MailAttempt) => Promise<MailValues | undefined>;

/**
 * Registry of the sources of mail contents, by kind. A source is called right before sending, in a transaction that is
 * committed before the mail is sent.
 */
@Injectable()
export class MailContents {
  private readonly sources = new Map<MailKind, MailSource>();

  /** Called once per kind, when modules start. */
  provide(kind: MailKind, source: MailSource): void {
    if (this.sources.has(kind)) throw new Error(`two features compose the mail ${kind}`);
    this.sources.set(kind, source);
  }

  valuesOf(kind: MailKind, data: Record<string, unknown>, mail: MailAttempt): Promise<MailValues | undefined> {
    const source = this.sources.get(kind);
    if (source === undefined) throw new Error(`no feature composes the mail ${kind}`);
    return source(data, mail);
  }
}
