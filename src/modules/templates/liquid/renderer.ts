import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Ambient } from '../../../common/ambient.js';
import { Settings } from '../../../platform/config/settings.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import { ChildPool } from '../../../platform/process/child-pool.js';
import type { Job, RenderOutcome } from './engine.js';

const PROGRAM = { name: 'renderer.child', baseUrl: import.meta.url, maxMemoryMb: 256 };

/** More than `atOncePerUser`, so that a single user cannot occupy all processes. */
const PROCESSES = 3;
const LIMITS = { atOnce: PROCESSES, atOncePerUser: 2, waiting: 200, waitingPerUser: 20 };

/**
 * Parses and renders templates in child processes, which are killed and replaced after TEMPLATE_TIMEOUT_MS. A fair
 * queue distributes the processes among users.
 */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly log = new Logger(Renderer.name);
  private readonly queue = new FairQueue(LIMITS);
  /** Set while the current work already has a slot of the queue. */
  private readonly slot = new Ambient<true>();
  private readonly pool = new ChildPool<Job, RenderOutcome>(PROGRAM);

  constructor(private readonly settings: Settings) {}

  /**
   * Runs work that parses a body in a slot of the queue. Call it before a connection is acquired, so that waiting holds
   * none.
   */
  runQueued<T>(user: string, work: () => Promise<T>): Promise<T> {
    return this.queue.run(user, () => this.slot.run(true, work));
  }

  /** The error in the template; undefined if it is valid. */
  async syntaxErrorOf(user: string, body: string): Promise<string | undefined> {
    const parse = () => this.run({ body });
    const outcome = await (this.slot.getStore() === true ? parse() : this.queue.run(user, parse));
    return 'error' in outcome ? outcome.error : undefined;
  }

  /**
   * Renders the body. `read` runs in the user's slot of the queue and returns the variables and the sources of a page.
   */
  render(user: string, body: string, read: () => Promise<Pick<Job, 'variables' | 'page'>>): Promise<RenderOutcome> {
    return this.queue.run(user, async () => this.run({ body, ...(await read()) }));
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  private async run(template: Omit<Job, 'limitMs'>): Promise<RenderOutcome> {
    const limitMs = this.settings.TEMPLATE_TIMEOUT_MS;
    try {
      return await this.pool.run({ ...template, limitMs }, limitMs);
    } catch (error) {
      this.log.warn(`rendering a template was stopped: ${String(error)}`);
      return { error: `rendering exceeds ${limitMs / 1_000} seconds or the memory limit` };
    }
  }
}
