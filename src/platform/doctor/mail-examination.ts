import { createTransport } from 'nodemailer';
import type { Settings } from '../config/settings.js';
import { fault, ok, type DoctorFinding } from './findings.js';

const TIMEOUT_MS = 10_000;

/** Signs in to the mail server; with an address, also sends a mail there. */
export async function examineMail({ SMTP_URL, MAIL_FROM }: Settings, to?: string): Promise<DoctorFinding> {
  if (SMTP_URL === undefined) {
    return to === undefined
      ? ok('Mail is written to files, because SMTP_URL is not set.')
      : fault('No mail was sent, because SMTP_URL is not set.');
  }
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url: SMTP_URL, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  try {
    if (to === undefined) {
      await transport.verify();
      return ok('The mail server accepts the sign-in.');
    }
    const subject = 'Worksmith: test of the mail server';
    await transport.sendMail({
      from: MAIL_FROM,
      to: { name: '', address: to },
      subject,
      text: 'npm run doctor -- --mail has sent this.',
    });
    return ok(`The mail server accepted a mail to ${to}.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fault(`The mail server refused (${reason}). Check SMTP_URL, MAIL_FROM and the rules of the server.`);
  } finally {
    transport.close();
  }
}
