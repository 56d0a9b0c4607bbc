import { setTimeout as sleep } from 'node:timers/promises';
import { removeEndpoint } from './endpoint.js';
import { startOrAdoptPostmaster, stopPostmaster, type Postmaster, type ServerConfig } from './postmaster.js';
import { stillServes } from './processes.js';

const CHECK_INTERVAL_MS = 100;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

interface Listener {
  log: (message: string) => void;
  onUnexpectedExit?: () => void;
  problem?: (message: string) => void;
}

/** Restarts one server whenever it ends, until it is stopped. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private postmaster: Postmaster | undefined;

  constructor(
    private readonly config: ServerConfig,
    private readonly listener: Listener,
  ) {}

  async start(): Promise<Postmaster> {
    this.postmaster = await startOrAdoptPostmaster(this.config, undefined, this.stopping.signal);
    this.watching = this.watch();
    return this.postmaster;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    if (!this.postmaster) return;
    await stopPostmaster(this.postmaster.pid, this.config);
    removeEndpoint(this.postmaster.endpoint, this.config.home);
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    try {
      for (;;) {
        // The timer must not keep the process alive.
        await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false });
        if (this.postmaster && stillServes(this.postmaster.pid, this.config.home.cluster)) continue;
        this.reportProblem('PostgreSQL ended unexpectedly; restarting it.');
        this.listener.onUnexpectedExit?.();
        await this.restart(signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async restart(signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal });
      try {
        // The same address as before, because the service's connections are configured with it.
        this.postmaster = await startOrAdoptPostmaster(this.config, this.postmaster?.endpoint, signal);
        this.listener.log(`PostgreSQL is available again after ${Date.now() - startedAt} ms.`);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        this.reportProblem(error instanceof Error ? error.message : String(error));
      }
    }
  }

  private reportProblem(message: string): void {
    const { log, problem = log } = this.listener;
    problem(message);
  }
}
