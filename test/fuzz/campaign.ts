import fc from 'fast-check';
import { sweep } from '../faults/support/invariants.mjs';
import type { Contract } from '../support/contract.js';
import type { Answer, Sent } from './client.js';
import { curlOf } from './curl.js';
import type { Plan } from './plans.js';
import { requestOf } from './requests.js';
import { complaintOf, type Complaint, type Ear, type Fault } from './verdicts.js';
import type { World } from './world.js';

/** So many requests are on their way at once. */
const AT_ONCE = 16;
const MAILS_EVERY = 500;
const SLOW_MS = 2_000;
const MAX_FINDINGS = 25;
const MAX_SLOW_ONES = 5;
const SHRINKING_MS = 10_000;

interface Heard {
  answer?: Answer;
  complaint?: Complaint;
}

/** A complaint with the request that it is about. */
export interface Finding extends Complaint {
  seed: number;
  request: string;
  /** The smallest request found with the same fault; absent where it came from what went before. */
  shrunk: string | undefined;
}

const complaintOfWork = (fault: Fault, details: string): Complaint => ({
  fault,
  operation: 'none',
  about: details.split(/[(\n]/)[0].replaceAll(/[0-9a-f-]{32,}/g, ''),
  details,
});

const keyOf = ({ fault, operation, about }: Complaint): string => `${fault} ${operation} ${about}`;

export interface Tally {
  requests: number;
  answers: Record<string, number>;
  faults: Partial<Record<Fault, number>>;
  /** How many took longer than {@link SLOW_MS}, and the first of them. */
  slow: number;
  slowOnes: string[];
  slowest: number;
}

/** Sends what was planned, looks at every answer, and keeps count. */
export class Campaign {
  readonly tally: Tally = { requests: 0, answers: {}, faults: {}, slow: 0, slowOnes: [], slowest: 0 };
  readonly findings = new Map<string, Finding>();

  constructor(
    private readonly plans: fc.Arbitrary<Plan>,
    private readonly contract: Contract,
    private readonly ear: Ear,
  ) {}

  /**
   * So many requests that this seed means, in an unused world. Each is made from what was answered
   * to those that were sent {@link AT_ONCE} places before it or earlier, so that it does not depend on who is faster.
   */
  async run(world: World, seed: number, count: number): Promise<void> {
    const plans = fc.sample(this.plans, { seed, numRuns: count });
    const underWay: { sent: Sent; heard: Promise<Heard> }[] = [];
    for (let at = 0; at < count + AT_ONCE; at += 1) {
      const oldest = at < AT_ONCE ? undefined : underWay.shift();
      if (oldest !== undefined) await this.look(world, oldest.sent, await oldest.heard, seed, at - AT_ONCE);
      if (at % MAILS_EVERY === 0) await world.readMails();
      if (at >= count) continue;
      const sent = requestOf(plans[at], world);
      underWay.push({ sent, heard: this.ask(world, sent) });
    }
  }

  /** Lets what is due be done, and looks whether everything that must always hold in the database still does. */
  async conclude(world: World, seed: number): Promise<void> {
    const stumbled = await world.doWhatIsDue();
    const said = [...stumbled, ...this.ear.takeAll()].map((details) => complaintOfWork('server error', details));
    const broken = await sweep((sql) => world.app.database.query(sql));
    for (const complaint of [...said, ...broken.map((line) => complaintOfWork('broken invariant', line))]) {
      this.countFault(complaint);
      this.keep({ ...complaint, seed, request: '', shrunk: undefined });
    }
  }

  private async look(world: World, sent: Sent, heard: Heard, seed: number, at: number): Promise<void> {
    const { answer, complaint } = heard;
    this.tally.requests += 1;
    if (answer !== undefined) {
      this.count(sent, answer);
      await world.learn(sent, answer);
    }
    if (complaint !== undefined) await this.note(world, complaint, sent, seed, at);
  }

  private async ask(world: World, sent: Sent): Promise<Heard> {
    try {
      const answer = await world.client.send(sent);
      return { answer, complaint: complaintOf(sent, answer, this.contract, this.ear) };
    } catch (error) {
      const { message } = error as Error;
      return { complaint: { fault: 'no answer', operation: sent.operation, about: message, details: message } };
    }
  }

  private count(sent: Sent, { status, milliseconds }: Answer): void {
    const { answers, slowOnes } = this.tally;
    answers[status] = (answers[status] ?? 0) + 1;
    this.tally.slowest = Math.max(this.tally.slowest, Math.round(milliseconds));
    if (milliseconds <= SLOW_MS) return;
    this.tally.slow += 1;
    if (slowOnes.length < MAX_SLOW_ONES) slowOnes.push(`${Math.round(milliseconds)} ms: ${curlOf(sent)}`);
  }

  private async note(world: World, complaint: Complaint, sent: Sent, seed: number, at: number): Promise<void> {
    this.countFault(complaint);
    if (this.isKnown(complaint)) return;
    const shrunk = await this.shrink(world, complaint, seed, at);
    this.keep({ ...complaint, seed, request: curlOf(sent), shrunk: shrunk && curlOf(shrunk) });
  }

  private countFault({ fault }: Complaint): void {
    this.tally.faults[fault] = (this.tally.faults[fault] ?? 0) + 1;
  }

  private keep(finding: Finding): void {
    if (!this.isKnown(finding)) this.findings.set(keyOf(finding), finding);
  }

  private isKnown(complaint: Complaint): boolean {
    return this.findings.has(keyOf(complaint)) || this.findings.size >= MAX_FINDINGS;
  }

  /** fast-check makes the plan of that place again and tries smaller ones as long as the fault stays the same. */
  private async shrink(world: World, { fault, about }: Complaint, seed: number, at: number): Promise<Sent | undefined> {
    let smallest: Sent | undefined;
    const property = fc.asyncProperty(this.plans, async (plan) => {
      const sent = requestOf(plan, world);
      const { complaint: again } = await this.ask(world, sent);
      if (again?.fault !== fault || again.about !== about) return;
      smallest = sent;
      throw new Error(about);
    });
    await fc.check(property, { seed, path: String(at), numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS });
    return smallest;
  }
}
