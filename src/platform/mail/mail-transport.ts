import type { ComposedMail } from './compose-mail.js';

/** A mail ready to go. `secret` is the code or token in it, for those who read mails on the console. */
export interface AddressedMail extends ComposedMail {
  id: string;
  to: string;
  secret?: string;
}

/** Takes mails to their recipients. */
export abstract class MailTransport {
  /** Resolves when the mail is in other hands; a {@link UndeliverableError} is not worth trying again. */
  abstract send(mail: AddressedMail): Promise<void>;

  abstract close(): void;
}

/** The recipient's server will never take this mail. */
export class UndeliverableError extends Error {}

/** The headers that every mail has. The Message-ID is the same at every try, so that mail programs show one mail. */
export function messageOf(mail: AddressedMail, from: string): object {
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const { subject, text, html } = mail;
  return {
    from,
    // Given in parts, because an address must not be read as a list of several.
    to: { name: '', address: mail.to },
    messageId: `<${mail.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Whatever the language, a code can be found in the file of a mail.
    textEncoding: 'quoted-printable',
    subject,
    text,
    html,
  };
}
