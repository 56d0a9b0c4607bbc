import { Clock } from '../../src/platform/jobs/clock.js';
import { MailTransport, type AddressedMail } from '../../src/platform/mail/mail-transport.js';

/** Runs ahead of the real time by as much as a test says. */
export class FastClock extends Clock {
  private lead = 0;

  override now(): Date {
    return new Date(Date.now() + this.lead);
  }

  advance(ms: number): void {
    this.lead += ms;
  }
}

/** A carrier that does what a test wants. */
export class OddCarrier extends MailTransport {
  readonly carried: AddressedMail[] = [];

  constructor(private readonly behave: (mail: AddressedMail) => Promise<void> = () => Promise.resolve()) {
    super();
  }

  async send(mail: AddressedMail): Promise<void> {
    await this.behave(mail);
    this.carried.push(mail);
  }

  override close(): void {
    // Nothing is open.
  }
}
