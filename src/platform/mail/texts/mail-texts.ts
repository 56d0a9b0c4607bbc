import type { MailKind } from '../mail-kinds.js';

/** A mail in one language. `{name}` stands for a value; a paragraph with only a code or token is highlighted. */
export interface MailText {
  subject: string;
  paragraphs: readonly string[];
}

/** All mails in one language, and the closing line of each. */
export type MailTexts = Readonly<Record<MailKind, MailText>> & { closing: string };
