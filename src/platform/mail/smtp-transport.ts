import { createTransport } from 'nodemailer';
import { MailTransport, messageOf, UndeliverableError, type AddressedMail } from './mail-transport.js';

const MAX_CONNECTIONS = 4;
/** The time limit for one mail, however slowly the server responds. */
const SEND_TIMEOUT_MS = 60_000;

/** Sends mails through a mail server. */
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
      maxConnections: MAX_CONNECTIONS,
      // The outbox decides about retries.
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
      await this.transport.sendMail({ ...messageOf(mail, this.from), signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
    } catch (error) {
      throw isFinal(error) ? new UndeliverableError(error instanceof Error ? error.message : String(error)) : error;
    }
  }

  close(): void {
    this.transport.close();
  }
}

/** Whether a retry is useless: a 5xx for the recipient or the content is final, one for the login or sender is not. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
}
