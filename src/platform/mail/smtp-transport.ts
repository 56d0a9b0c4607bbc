import { createTransport } from 'nodemailer';
import { MailTransport, messageOf, UndeliverableError, type AddressedMail } from './mail-transport.js';

const AT_ONCE = 4;
/** However slowly the other side answers, a mail takes no longer. */
const LONGEST_MS = 60_000;

/** Hands mails to a mail server. */
export class SmtpTransport extends MailTransport {
  private readonly transport;

  constructor(
    url: string,
    private readonly from: string,
  ) {
    super();
    this.transport = createTransport({
      url,
      pool: true,
      maxConnections: AT_ONCE,
      // Whether to try again is the outbox's to decide.
      maxRequeues: 0,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: AddressedMail): Promise<void> {
    try {
      await this.transport.sendMail({ ...messageOf(mail, this.from), signal: AbortSignal.timeout(LONGEST_MS) });
    } catch (error) {
      throw isFinal(error) ? new UndeliverableError(error instanceof Error ? error.message : String(error)) : error;
    }
  }

  close(): void {
    this.transport.close();
  }
}

/** A 5xx about the recipient or the message is final; one about ourselves (login, sender) can be mended. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
}
