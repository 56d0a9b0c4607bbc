import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import { ChildPool } from '../../../platform/process/child-pool.js';
import type { Job, RenderOutcome } from './engine.js';

const PROGRAM = { name: 'renderer.child', baseUrl: import.meta.url, maxMemoryMb: 256 };

/** More than the share of one user, so that a single user cannot occupy all of them. */
const PROCESSES = 3;
const TURNS = { atOnce: PROCESSES, atOncePerUser: 2, waiting: 200, waitingPerUser: 20 };

/**
 * Parses and renders templates in child processes: after TEMPLATE_TIMEOUT_MS the process is killed and replaced. Users
 * take turns.
 */
@Injectable()
export class Renderer implements OnApplicationShutdown {
  private readonly log = new Logger(Renderer.name);
  private readonly turns = new FairQueue(TURNS);
  /** Set where the work is part of a turn already. */
  private readonly turn = new AsyncLocalStorage<true>();
  private readonly pool = new ChildPool<Job, RenderOutcome>(PROGRAM);

  constructor(private readonly settings: Settings) {}

  /** Does work that has to parse a body, in one turn: what waits for a turn must not hold a connection meanwhile. */
  inTurn<T>(user: string, work: () => Promise<T>): Promise<T> {
    return this.turns.run(user, () => this.turn.run(true, work));
  }

  /** The error in the template, if any. */
  async faultOf(user: string, body: string): Promise<string | undefined> {
    const parsing = () => this.work({ body });
    const outcome = await (this.turn.getStore() === true ? parsing() : this.turns.run(user, parsing));
    return 'fault' in outcome ? outcome.fault : undefined;
  }

  /** What the body becomes with what is read in the user's turn: variables (a JSON object as text), and sources of a page. */
  render(user: string, body: string, read: () => Promise<Pick<Job, 'variables' | 'page'>>): Promise<RenderOutcome> {
    return this.turns.run(user, async () => this.work({ body, ...(await read()) }));
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  private async work(template: Omit<Job, 'limitMs'>): Promise<RenderOutcome> {
    const limitMs = this.settings.TEMPLATE_TIMEOUT_MS;
    try {
      return await this.pool.run({ ...template, limitMs }, limitMs);
    } catch (error) {
      this.log.warn(`the rendering of a template was stopped: ${String(error)}`);
      return { fault: `rendering exceeds ${limitMs / 1_000} seconds or the memory limit` };
    }
  }
}
