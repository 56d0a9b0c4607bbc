import { Clock } from '../../src/platform/jobs/clock.js';
import { Carrier, type AddressedMail } from '../../src/platform/mail/carrier.js';

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
export class OddCarrier extends Carrier {
  readonly carried: AddressedMail[] = [];

  constructor(private readonly behave: (mail: AddressedMail) => Promise<void> = () => Promise.resolve()) {
    super();
  }

  async carry(mail: AddressedMail): Promise<void> {
    await this.behave(mail);
    this.carried.push(mail);
  }

  override close(): void {
    // Nothing is open.
  }
}
