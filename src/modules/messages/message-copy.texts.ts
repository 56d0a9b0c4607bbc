import type { MailLanguage } from '../../platform/mail/languages.js';
import { mailName } from '../../platform/mail/mail-name.js';
import type { CopiedMessage } from './message-copies.repository.js';

/** Longer texts are cut in a mail with several messages. */
const MAX_CHARACTERS = 2_000;

/** The first half of a character that was cut. */
const LONE_SURROGATE = /[\uD800-\uDBFF]$/;

const FURTHER: Record<MailLanguage, (count: number) => string> = {
  en: (count) => `Further messages in your inbox: ${count}`,
  de: (count) => `Weitere Nachrichten in deinem Posteingang: ${count}`,
  fr: (count) => `Autres messages dans votre boîte de réception : ${count}`,
  es: (count) => `Más mensajes en tu bandeja de entrada: ${count}`,
};

const shortened = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).replace(LONE_SURROGATE, '')}…`;

/** The messages as one text; `count` is the number of all messages, of which `messages` are the newest. */
export const itemsOf = (messages: readonly CopiedMessage[], count: number, language: MailLanguage): string => {
  const items = messages.map(
    ({ sender, subject, content }) => `${mailName(sender)}: ${mailName(subject)}\n${shortened(content)}`,
  );
  const further = count - messages.length;
  return [...items, ...(further > 0 ? [FURTHER[language](further)] : [])].join('\n\n');
};
