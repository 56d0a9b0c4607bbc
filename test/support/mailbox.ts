import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mail as its recipient sees it. */
export interface ReceivedMail {
  subject: string;
  text: string;
  html: string;
  /** The code in the text, `xxx-xxx-xxx`, if there is one. */
  code: string | undefined;
  headers: Record<string, string>;
}

/** Returns the mails to that address from the `.eml` files of a directory, newest first. */
export function mailsTo(address: string, directory: string): ReceivedMail[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith('.eml'));
  const mails = names
    .sort()
    .toReversed()
    .map((name) => readMail(readFileSync(join(directory, name), 'utf8')));
  return mails.filter(({ headers }) => headers.to.replaceAll(/[<>]/g, '') === address);
}

/** Parses a mail in the form that nodemailer writes: one text and one HTML part. */
export function readMail(raw: string): ReceivedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'])?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r?\n/, '')));
  const [text, html] = parts.map((part) => decode(part.body, part.headers['content-transfer-encoding']));
  const code = /\b[0-9a-z]{3}-[0-9a-z]{3}-[0-9a-z]{3}\b/.exec(text)?.[0];
  return { headers, subject: decodeWords(headers.subject), text, html, code };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const [head, ...rest] = raw.split(/\r?\n\r?\n/);
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const pairs = lines.map((line) => [line.split(':')[0].toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  return { headers: Object.fromEntries(pairs), body: rest.join('\n\n') };
}

function decode(body: string, encoding: string): string {
  const plain = body.replaceAll('\r\n', '\n').replace(/\n$/, '');
  if (encoding === 'base64') return Buffer.from(plain, 'base64').toString();
  return encoding === 'quoted-printable' ? fromQuotedPrintable(plain.replaceAll('=\n', '')) : plain;
}

function fromQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : fromQuotedPrintable(word.replaceAll('_', ' ')),
    );
}
