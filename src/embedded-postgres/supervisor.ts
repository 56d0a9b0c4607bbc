import { setTimeout as sleep } from 'node:timers/promises';
import { forgetEndpoint } from './endpoint.js';
import { obtainPostmaster, stopPostmaster, type Launch, type Postmaster } from './postmaster.js';
import { stillServes } from './processes.js';

const WATCH_EVERY = 100;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

interface Listener {
  log: (message: string) => void;
  onUnexpectedExit?: () => void;
  problem?: (message: string) => void;
}

/** Keeps one server running until it is stopped. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private postmaster: Postmaster | undefined;

  constructor(
    private readonly launch: Launch,
    private readonly listener: Listener,
  ) {}

  async start(): Promise<Postmaster> {
    this.postmaster = await obtainPostmaster(this.launch, undefined, this.stopping.signal);
    this.watching = this.watch();
    return this.postmaster;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    if (!this.postmaster) return;
    await stopPostmaster(this.postmaster.pid, this.launch);
    forgetEndpoint(this.postmaster.endpoint, this.launch.home);
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    try {
      for (;;) {
        // The timer must not keep the process alive.
        await sleep(WATCH_EVERY, undefined, { signal, ref: false });
        if (this.postmaster && stillServes(this.postmaster.pid, this.launch.home.cluster)) continue;
        this.tellProblem('PostgreSQL ended unexpectedly; restarting it.');
        this.listener.onUnexpectedExit?.();
        await this.restart(signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async restart(signal: AbortSignal): Promise<void> {
    const begun = Date.now();
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      await sleep(pause, undefined, { signal });
      try {
        // The same address as before, because the service's connections are configured with it.
        this.postmaster = await obtainPostmaster(this.launch, this.postmaster?.endpoint, signal);
        this.listener.log(`PostgreSQL is available again after ${Date.now() - begun} ms.`);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        this.tellProblem(error instanceof Error ? error.message : String(error));
      }
    }
  }

  private tellProblem(message: string): void {
    const { log, problem = log } = this.listener;
    problem(message);
  }
}
