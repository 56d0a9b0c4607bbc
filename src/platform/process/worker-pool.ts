import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { StartError } from '../../common/start-error.js';
import { uniteMetrics, type MeasuredWorker } from '../metrics/worker-metrics.js';
import type { FromWorker, StartedService, ToWorker, WorkerStart } from './worker-messages.js';

const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** A worker that ran for so long is replaced at once. */
const STEADY_MS = 60_000;
/** A worker that does not answer in time is left out of the metrics. */
const ANSWER_MS = 5_000;

/** The place of one worker at a time. */
interface Slot {
  number: number;
  worker?: Worker;
  pauseMs: number;
  restart?: NodeJS.Timeout;
}

interface WorkerPoolOptions {
  count: number;
  /** The program of a worker. */
  program: string;
  start: Omit<WorkerStart, 'number' | 'isReloaded'>;
  log: Logger;
}

/**
 * Runs workers that share a port. One that ends is replaced, after a pause that doubles while workers end quickly. All of
 * them end with this process.
 */
export class WorkerPool {
  private readonly slots: Slot[];
  private readonly questions = new Map<number, (text: string) => void>();
  private lastQuestion = 0;
  /** Whether a worker has listened; one that never could is not replaced. */
  private hasStarted = false;
  private isStopping = false;
  private isReloaded = false;
  private rolling: Promise<void> | undefined;
  private refused: () => void = () => undefined;

  constructor(private readonly options: WorkerPoolOptions) {
    this.slots = Array.from({ length: options.count }, (_, at) => ({ number: at + 1, pauseMs: MIN_PAUSE_MS }));
    cluster.setupPrimary({ exec: options.program, args: [] });
  }

  /** Registers what to do when the release of the workers no longer fits the database. */
  onRefused(listener: () => void): void {
    this.refused = listener;
  }

  /**
   * Starts the first worker, and when it listens, the others; returns once each of them listens or has failed. Rejects if
   * the first one fails, which has said why.
   */
  async start(): Promise<StartedService> {
    const [first, ...others] = this.slots;
    const started = await this.occupy(first).catch(() => {
      throw new StartError('The first worker could not start; it says why.');
    });
    this.hasStarted = true;
    await Promise.allSettled(others.map((slot) => this.occupy(slot)));
    return started;
  }

  /** Ends all workers in the regular way, and waits for them. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { restart } of this.slots) clearTimeout(restart);
    await this.rolling;
    await Promise.all(this.workers.map(([, worker]) => end(worker)));
  }

  /** Lets the workers read again the settings that can change at run time. */
  reload(): void {
    this.isReloaded = true;
    for (const [, worker] of this.workers) tell(worker, { type: 'reload' });
  }

  /** Replaces the workers one after the other, each when its successor listens, such as after a new build. */
  roll(): Promise<void> {
    this.rolling ??= this.rollAll().finally(() => {
      this.rolling = undefined;
    });
    return this.rolling;
  }

  /** The metrics of all workers. */
  async metrics(): Promise<string> {
    const answers = await Promise.all(
      this.workers.map(async ([{ number }, worker]): Promise<MeasuredWorker[]> => {
        const text = await this.measure(worker);
        return text === undefined ? [] : [{ number, text }];
      }),
    );
    return uniteMetrics(answers.flat());
  }

  private get workers(): [Slot, Worker][] {
    return this.slots.flatMap((slot): [Slot, Worker][] => (slot.worker === undefined ? [] : [[slot, slot.worker]]));
  }

  private async rollAll(): Promise<void> {
    const { log } = this.options;
    for (const slot of this.slots) {
      if (this.isStopping) return;
      const former = slot.worker;
      clearTimeout(slot.restart);
      slot.worker = undefined;
      try {
        await this.occupy(slot);
      } catch (error) {
        if (former?.isDead() === false) {
          clearTimeout(slot.restart);
          slot.worker = former;
        }
        return log.error(`The workers were not replaced: ${String(error)}; the former ones go on.`);
      }
      if (former !== undefined) await end(former, { isReplaced: true });
    }
    log.info('all workers were replaced');
  }

  /** Starts a worker in the slot; resolves when it listens. */
  private occupy(slot: Slot): Promise<StartedService> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    slot.worker = worker;
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(message.started);
        else this.receive(slot, worker, message);
      });
      worker.once('exit', (code: number, signal: string | null) => {
        const reason = signal === null ? `with code ${code}` : `by ${signal}`;
        reject(new Error(`worker ${slot.number} ended ${reason}`));
        if (slot.worker === worker) this.replace(slot, performance.now() - startedAt, reason);
      });
    });
  }

  private replace(slot: Slot, livedMs: number, reason: string): void {
    slot.worker = undefined;
    if (this.isStopping || !this.hasStarted) return;
    slot.pauseMs = livedMs > STEADY_MS ? MIN_PAUSE_MS : Math.min(slot.pauseMs * 2, MAX_PAUSE_MS);
    const seconds = slot.pauseMs / 1_000;
    this.options.log.error(`Worker ${slot.number} ended ${reason}; another one starts in ${seconds} s.`);
    slot.restart = setTimeout(() => void this.occupy(slot).catch(() => undefined), slot.pauseMs);
  }

  private receive(slot: Slot, worker: Worker, message: FromWorker): void {
    const { number } = slot;
    if (message.type === 'loaded') {
      const start = { ...this.options.start, number, isReloaded: this.isReloaded };
      const isUnwanted = this.isStopping || slot.worker !== worker;
      tell(worker, isUnwanted ? { type: 'stop', isReplaced: false } : { type: 'start', start });
    } else if (message.type === 'measured') {
      this.questions.get(message.question)?.(message.text);
    } else if (message.type === 'ask_metrics') {
      const { question } = message;
      void this.metrics().then((text) => tell(worker, { type: 'metrics', question, text }));
    } else if (message.type === 'refused') {
      this.refused();
    }
  }

  private measure(worker: Worker): Promise<string | undefined> {
    const question = (this.lastQuestion += 1);
    return new Promise<string | undefined>((resolve) => {
      const timeout = setTimeout(() => resolve(undefined), ANSWER_MS);
      this.questions.set(question, (text) => {
        clearTimeout(timeout);
        resolve(text);
      });
      tell(worker, { type: 'measure', question });
    }).finally(() => this.questions.delete(question));
  }
}

/** Says something to a worker; one that has just ended does not hear it. */
function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** Lets a worker end in the regular way. One that is still loading ends when it has loaded. */
function end(worker: Worker, { isReplaced = false } = {}): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    tell(worker, { type: 'stop', isReplaced });
  });
}
