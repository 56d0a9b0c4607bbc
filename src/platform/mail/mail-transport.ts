import type { ComposedMail } from './compose-mail.js';

/** A mail ready to be sent. `secret` is its code or token, for the console. */
export interface AddressedMail extends ComposedMail {
  id: string;
  to: string;
  secret?: string;
}

/** Sends mails to their recipients. */
export abstract class MailTransport {
  /** Resolves when the mail was accepted; {@link UndeliverableError} means that a retry is useless. */
  abstract send(mail: AddressedMail): Promise<void>;

  abstract close(): void;
}

/** The recipient's server rejects this mail permanently. */
export class UndeliverableError extends Error {}

/** The headers of every mail. The Message-ID is the same at every attempt, so that mail programs show one mail. */
export function messageOf(mail: AddressedMail, from: string): object {
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const { subject, text, html } = mail;
  return {
    from,
    // An object, because nodemailer would parse a string as a list of addresses.
    to: { name: '', address: mail.to },
    messageId: `<${mail.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Keeps the code of a mail readable in its file, in every language.
    textEncoding: 'quoted-printable',
    subject,
    text,
    html,
  };
}
