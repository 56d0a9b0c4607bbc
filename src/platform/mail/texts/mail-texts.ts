import type { MailKind } from '../mail-kinds.js';

/** A mail in one language. `{name}` stands for a value; a paragraph that is nothing but a code stands out. */
export interface MailText {
  subject: string;
  paragraphs: readonly string[];
}

/** All mails in one language, and what stands under each. */
export type MailTexts = Readonly<Record<MailKind, MailText>> & { closing: string };
