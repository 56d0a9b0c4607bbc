import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Refusal } from '../../../common/errors.js';
import type { Outcome } from './engine.js';
import type { Job } from './renderer.child.js';

const LIMIT_MS = 2_000;
const START_MS = 20_000;
const MOST_MEMORY_MB = 256;
const MOST_WAITING = 50;
const EXHAUSTED: Outcome = { fault: 'it takes more than 2 seconds, or too much memory' };

/** Tests run from the sources, which a process has to be taught to read. */
const isSource = import.meta.url.endsWith('.ts');
const PROGRAM = fileURLToPath(new URL(`./renderer.child.${isSource ? 'ts' : 'js'}`, import.meta.url));
const READING = isSource ? ['--import', '@swc-node/register/esm-register'] : [];

/**
 * Parses and renders templates in a process of their own, one after the other, without files, secrets or much memory:
 * whatever a template does there, requests go on, and after two seconds the process is ended and the next template gets
 * a new one. A thread would not do: one that runs out of memory takes the whole service with it.
 */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly log = new Logger(Renderer.name);
  private child: Promise<ChildProcess> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** What is wrong with the body, if anything. */
  async faultOf(body: string): Promise<string | undefined> {
    const outcome = await this.run({ body });
    return 'fault' in outcome ? outcome.fault : undefined;
  }

  /** The text that the body becomes with these variables, a JSON object as text. */
  render(body: string, variables: string): Promise<Outcome> {
    return this.run({ body, variables });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.end();
  }

  private run(job: Job): Promise<Outcome> {
    if (this.waiting >= MOST_WAITING) {
      throw new Refusal('unavailable', 'Too many templates are waiting to be rendered.', undefined, 2);
    }
    this.waiting += 1;
    const turn = this.last.then(() => this.work(job));
    this.last = turn.catch(() => undefined);
    return turn.finally(() => {
      this.waiting -= 1;
    });
  }

  private async work(job: Job): Promise<Outcome> {
    this.child ??= start();
    const child = await this.child.catch((error: unknown) => {
      this.child = undefined;
      throw error;
    });
    try {
      const answer = nextMessage<Outcome>(child, LIMIT_MS);
      child.send(job);
      return await answer;
    } catch (error) {
      this.log.warn(`a template was stopped: ${String(error)}`);
      await this.end();
      return EXHAUSTED;
    }
  }

  private async end(): Promise<void> {
    const child = await this.child?.catch(() => undefined);
    this.child = undefined;
    child?.kill('SIGKILL');
  }
}

async function start(): Promise<ChildProcess> {
  const child = fork(PROGRAM, {
    execArgv: [`--max-old-space-size=${MOST_MEMORY_MB}`, ...READING],
    // No secrets; Windows starts nothing without this one.
    env: { SystemRoot: process.env.SystemRoot },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Whoever waits for an answer hears of it too; without a listener it would end this process.
  child.on('error', () => undefined);
  await nextMessage(child, START_MS);
  child.unref();
  child.channel?.unref();
  return child;
}

/** What the child says next; fails where it ends or says nothing in time. */
async function nextMessage<M>(child: ChildProcess, withinMs: number): Promise<M> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(withinMs)]);
  const gone = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('its process ended')));
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as [M];
    return message;
  } finally {
    waiting.abort();
    gone.catch(() => undefined);
  }
}
