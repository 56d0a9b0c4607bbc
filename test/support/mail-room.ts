import { Clock } from '../../src/platform/jobs/clock.js';
import { MailTransport, type AddressedMail } from '../../src/platform/mail/mail-transport.js';

/** A clock that tests can advance beyond the real time. */
export class OffsetClock extends Clock {
  private lead = 0;

  override now(): Date {
    return new Date(Date.now() + this.lead);
  }

  advance(ms: number): void {
    this.lead += ms;
  }
}

/** A mail transport whose behavior a test supplies. Records the mails that it sent. */
export class ScriptedMailTransport extends MailTransport {
  readonly sentMails: AddressedMail[] = [];

  constructor(private readonly behave: (mail: AddressedMail) => Promise<void> = () => Promise.resolve()) {
    super();
  }

  async send(mail: AddressedMail): Promise<void> {
    await this.behave(mail);
    this.sentMails.push(mail);
  }

  override close(): void {
    // Nothing is open.
  }
}
