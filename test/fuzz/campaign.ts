import fc from 'fast-check';
import { brokenInvariants } from '../faults/support/invariants.mjs';
import type { Contract } from '../support/contract.js';
import type { HttpResponse, Sent } from './client.js';
import { curlOf } from './curl.js';
import type { Plan } from './plans.js';
import { requestOf } from './requests.js';
import { failureOf, type Failure, type FailureKind, type LoggedErrors } from './verdicts.js';
import type { World } from './world.js';

/** The number of requests in flight. */
const AT_ONCE = 16;
const MAILS_EVERY = 500;
const SLOW_MS = 2_000;
const MAX_FINDINGS = 25;
const MAX_SLOW_ONES = 5;
const SHRINKING_MS = 10_000;

interface Result {
  response?: HttpResponse;
  failure?: Failure;
}

/** A failure with the request that caused it. */
export interface Finding extends Failure {
  seed: number;
  request: string;
  /** The smallest request found with the same failure; undefined if that depends on earlier requests. */
  shrunk: string | undefined;
}

const backgroundFailure = (kind: FailureKind, details: string): Failure => ({
  kind,
  operation: 'none',
  summary: details.split(/[(\n]/)[0].replaceAll(/[0-9a-f-]{32,}/g, ''),
  details,
});

const keyOf = ({ kind, operation, summary }: Failure): string => `${kind} ${operation} ${summary}`;

export interface Tally {
  requests: number;
  responses: Record<string, number>;
  faults: Partial<Record<FailureKind, number>>;
  /** The number of requests that took longer than {@link SLOW_MS}; `slowOnes` has the first of them. */
  slow: number;
  slowOnes: string[];
  slowest: number;
}

/** Sends the generated requests, checks every response, and counts the results. */
export class FuzzRun {
  readonly tally: Tally = { requests: 0, responses: {}, faults: {}, slow: 0, slowOnes: [], slowest: 0 };
  readonly findings = new Map<string, Finding>();

  constructor(
    private readonly plans: fc.Arbitrary<Plan>,
    private readonly contract: Contract,
    private readonly loggedErrors: LoggedErrors,
  ) {}

  /**
   * Sends the requests that the seed generates to an unused world. Each is built from the responses to those that were
   * sent {@link AT_ONCE} places before it or earlier, so that it does not depend on which response is faster.
   */
  async run(world: World, seed: number, count: number): Promise<void> {
    const plans = fc.sample(this.plans, { seed, numRuns: count });
    const inFlight: { sent: Sent; result: Promise<Result> }[] = [];
    for (let at = 0; at < count + AT_ONCE; at += 1) {
      const oldest = at < AT_ONCE ? undefined : inFlight.shift();
      if (oldest !== undefined) await this.record(world, oldest.sent, await oldest.result, seed, at - AT_ONCE);
      if (at % MAILS_EVERY === 0) await world.readMails();
      if (at >= count) continue;
      const sent = requestOf(plans[at], world);
      inFlight.push({ sent, result: this.send(world, sent) });
    }
  }

  /** Runs the due jobs, and checks the errors that they log and the invariants of the database. */
  async finish(world: World, seed: number): Promise<void> {
    const failed = await world.runDueJobs();
    const errors = [...failed, ...this.loggedErrors.takeAll()];
    const failures = errors.map((details) => backgroundFailure('server error', details));
    const broken = await brokenInvariants((sql) => world.app.database.query(sql));
    for (const failure of [...failures, ...broken.map((line) => backgroundFailure('broken invariant', line))]) {
      this.countFailure(failure);
      this.keep({ ...failure, seed, request: '', shrunk: undefined });
    }
  }

  private async record(world: World, sent: Sent, result: Result, seed: number, at: number): Promise<void> {
    const { response, failure } = result;
    this.tally.requests += 1;
    if (response !== undefined) {
      this.count(sent, response);
      await world.learn(sent, response);
    }
    if (failure !== undefined) await this.addFailure(world, failure, sent, seed, at);
  }

  private async send(world: World, sent: Sent): Promise<Result> {
    try {
      const response = await world.client.send(sent);
      return { response, failure: failureOf(sent, response, this.contract, this.loggedErrors) };
    } catch (error) {
      const { message } = error as Error;
      return { failure: { kind: 'no answer', operation: sent.operation, summary: message, details: message } };
    }
  }

  private count(sent: Sent, { status, milliseconds }: HttpResponse): void {
    const { responses, slowOnes } = this.tally;
    responses[status] = (responses[status] ?? 0) + 1;
    this.tally.slowest = Math.max(this.tally.slowest, Math.round(milliseconds));
    if (milliseconds <= SLOW_MS) return;
    this.tally.slow += 1;
    if (slowOnes.length < MAX_SLOW_ONES) slowOnes.push(`${Math.round(milliseconds)} ms: ${curlOf(sent)}`);
  }

  private async addFailure(world: World, failure: Failure, sent: Sent, seed: number, at: number): Promise<void> {
    this.countFailure(failure);
    if (this.isKnown(failure)) return;
    const shrunk = await this.shrink(world, failure, seed, at);
    this.keep({ ...failure, seed, request: curlOf(sent), shrunk: shrunk && curlOf(shrunk) });
  }

  private countFailure({ kind }: Failure): void {
    this.tally.faults[kind] = (this.tally.faults[kind] ?? 0) + 1;
  }

  private keep(finding: Finding): void {
    if (!this.isKnown(finding)) this.findings.set(keyOf(finding), finding);
  }

  private isKnown(failure: Failure): boolean {
    return this.findings.has(keyOf(failure)) || this.findings.size >= MAX_FINDINGS;
  }

  /** Lets fast-check generate the plan again, and shrink it as long as the failure stays the same. */
  private async shrink(world: World, { kind, summary }: Failure, seed: number, at: number): Promise<Sent | undefined> {
    let smallest: Sent | undefined;
    const property = fc.asyncProperty(this.plans, async (plan) => {
      const sent = requestOf(plan, world);
      const { failure: again } = await this.send(world, sent);
      if (again?.kind !== kind || again.summary !== summary) return;
      smallest = sent;
      throw new Error(summary);
    });
    await fc.check(property, { seed, path: String(at), numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS });
    return smallest;
  }
}
