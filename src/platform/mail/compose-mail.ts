import { mailLanguageOf, type MailLanguage } from './languages.js';
import type { MailValues } from './mail-contents.js';
import type { MailKind } from './mail-kinds.js';
import { mailName } from './mail-name.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import type { MailTexts } from './texts/mail-texts.js';

const LANGUAGES: Readonly<Record<MailLanguage, MailTexts>> = { en, de, fr, es };
/** Values that people chose: names of themselves and of containers, and subjects, which repeat titles. */
const NAMES = new Set(['name', 'inviter', 'person', 'place', 'provider', 'sender', 'subject', 'target', 'token_name']);
const PLACEHOLDER = /\{(\w+)\}/g;
/** A paragraph that contains only a code or token, which is highlighted. */
const HIGHLIGHTED = /^\{(code|token)\}$/;

/** The subject and content of a mail. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/** Inserts the values into the text of that kind, in the language of the tag, otherwise in English. */
export function composeMail(kind: MailKind, lang: string, values: MailValues): ComposedMail {
  const language = mailLanguageOf(lang);
  const { closing, [kind]: text } = LANGUAGES[language];
  const fill = (template: string, escape: (value: string) => string = String): string =>
    template.replaceAll(PLACEHOLDER, (_, name: string) => escape(valueOf(kind, values, name)));
  const paragraphs = text.paragraphs.map((paragraph) => htmlOf(paragraph, fill(escapeHtml(paragraph), escapeHtml)));
  return {
    // A value with a line break would otherwise end the header.
    subject: fill(text.subject).replaceAll(/\s+/g, ' '),
    text: `${text.paragraphs.map((paragraph) => fill(paragraph)).join('\n\n')}\n\n-- \n${fill(closing)}\n`,
    html: page(language, [
      ...paragraphs,
      `<p style="color:#667;font-size:13px">${fill(escapeHtml(closing), escapeHtml)}</p>`,
    ]),
  };
}

function valueOf(kind: MailKind, values: MailValues, name: string): string {
  if (!(name in values)) throw new Error(`the mail ${kind} has no value for ${name}`);
  const value = String(values[name]);
  return NAMES.has(name) ? mailName(value) : value;
}

function htmlOf(template: string, filled: string): string {
  if (!HIGHLIGHTED.test(template)) return `<p style="white-space:pre-line">${filled}</p>`;
  return `<p style="font:bold 22px monospace;letter-spacing:1px;background:#eef1f6;padding:12px 16px">${filled}</p>`;
}

const page = (language: string, body: string[]): string =>
  `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head>
<body style="font:16px/1.5 sans-serif;color:#223;max-width:36em;margin:2em auto;padding:0 1em">
${body.join('\n')}
</body></html>
`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
