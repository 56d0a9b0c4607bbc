import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import type { Job, Outcome } from './engine.js';

/** A process may take that many times longer to start than a template to render. */
const START_FACTOR = 10;
const MOST_MEMORY_MB = 256;

/** Tests run from the sources, which a process has to be taught to read. */
const isSource = import.meta.url.endsWith('.ts');
const PROGRAM = fileURLToPath(new URL(`./renderer.child.${isSource ? 'ts' : 'js'}`, import.meta.url));
const READING = isSource ? ['--import', '@swc-node/register/esm-register'] : [];

/** More than the share of one user, so that a single user cannot occupy all of them. */
const PROCESSES = 3;
const TURNS = { atOnce: PROCESSES, atOncePerUser: 2, waiting: 200, waitingPerUser: 20 };
const IDLE_MS = 60_000;

/**
 * Parses and renders templates in processes of their own, without files, secrets or much memory: whatever a template
 * does there, requests go on, and after TEMPLATE_TIMEOUT_MS the process is ended and the next template gets a new one.
 * Users take turns. A thread would not do: one that runs out of memory takes the whole service with it.
 */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly log = new Logger(Renderer.name);
  private readonly turns = new FairQueue(TURNS);
  private readonly idle: ChildProcess[] = [];
  private readonly trimming = setInterval(() => this.idle.splice(1).forEach(stop), IDLE_MS).unref();

  constructor(private readonly settings: Settings) {}

  /** What is wrong with the body, if anything. */
  async faultOf(user: string, body: string): Promise<string | undefined> {
    const outcome = await this.turns.run(user, () => this.work({ body }));
    return 'fault' in outcome ? outcome.fault : undefined;
  }

  /** The text that the body becomes with the variables (a JSON object as text), which are read in the user's turn. */
  render(user: string, body: string, variables: () => Promise<string>, { asHtml = false } = {}): Promise<Outcome> {
    return this.turns.run(user, async () => this.work({ body, asHtml, variables: await variables() }));
  }

  onApplicationShutdown(): void {
    clearInterval(this.trimming);
    this.idle.splice(0).forEach(stop);
  }

  private async work(template: Omit<Job, 'limitMs'>): Promise<Outcome> {
    const limitMs = this.settings.TEMPLATE_TIMEOUT_MS;
    const child = this.idle.pop() ?? (await start(START_FACTOR * limitMs));
    try {
      const answer = nextMessage<Outcome>(child, limitMs);
      child.send({ ...template, limitMs } satisfies Job);
      const outcome = await answer;
      this.idle.push(child);
      return outcome;
    } catch (error) {
      this.log.warn(`the rendering of a template was stopped: ${String(error)}`);
      stop(child);
      return { fault: `rendering exceeds ${limitMs / 1_000} seconds or the memory limit` };
    }
  }
}

const stop = (child: ChildProcess): boolean => child.kill('SIGKILL');

async function start(withinMs: number): Promise<ChildProcess> {
  const child = fork(PROGRAM, {
    execArgv: [`--max-old-space-size=${MOST_MEMORY_MB}`, ...READING],
    // No secrets; Windows starts nothing without this one.
    env: { SystemRoot: process.env.SystemRoot },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // The waiting caller receives the error too; without a listener it would end this process.
  child.on('error', () => undefined);
  await nextMessage(child, withinMs);
  child.unref();
  child.channel?.unref();
  return child;
}

/** What the child says next; fails where it ends or says nothing in time. */
async function nextMessage<M>(child: ChildProcess, withinMs: number): Promise<M> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(withinMs)]);
  const gone = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('the rendering process ended')));
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as [M];
    return message;
  } finally {
    waiting.abort();
    gone.catch(() => undefined);
  }
}
