import type { FromWorker, StartedService, ToWorker, WorkerStart } from './worker-messages.js';

/** The time after which the keeper of the workers is not expected to answer any more. */
const ANSWER_MS = 10_000;

/** The side of a worker in what it and the keeper of the workers say to each other. */
export class WorkerLink {
  private readonly started: Promise<WorkerStart>;
  private readonly questions = new Map<number, (text: string) => void>();
  private lastQuestion = 0;
  private isReplaced = false;
  private stop: () => void = () => process.exit(0);
  private reload: () => void = () => undefined;
  private measure: () => Promise<string> = () => Promise.resolve('');

  constructor() {
    this.started = new Promise((resolve) => {
      process.on('message', (message: ToWorker) => this.receive(message, resolve));
    });
  }

  /** Whether another worker listens in place of this one. */
  get hasSuccessor(): boolean {
    return this.isReplaced;
  }

  /** Asks the keeper what to start with. */
  async start(): Promise<WorkerStart> {
    tell({ type: 'loaded' });
    return this.started;
  }

  /** Registers how to stop and how to reload the settings. */
  onSignals({ stop, reload }: { stop: () => void; reload: () => void }): void {
    this.stop = stop;
    this.reload = reload;
  }

  /** Registers how to read the metrics of this process. */
  onMeasure(measure: () => Promise<string>): void {
    this.measure = measure;
  }

  ready(started: StartedService): void {
    tell({ type: 'ready', started });
  }

  /** Says that no worker of this release can work on the database any more. */
  refused(): void {
    tell({ type: 'refused' });
  }

  /** The metrics of all workers. */
  metrics(): Promise<string> {
    const question = (this.lastQuestion += 1);
    return new Promise<string>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('the keeper of the workers does not answer')), ANSWER_MS);
      this.questions.set(question, (text) => {
        clearTimeout(timeout);
        resolve(text);
      });
      tell({ type: 'ask_metrics', question });
    }).finally(() => this.questions.delete(question));
  }

  private receive(message: ToWorker, start: (start: WorkerStart) => void): void {
    if (message.type === 'start') start(message.start);
    else if (message.type === 'stop') this.end(message.isReplaced);
    else if (message.type === 'reload') this.reload();
    else if (message.type === 'metrics') this.questions.get(message.question)?.(message.text);
    else void this.answer(message.question);
  }

  private end(isReplaced: boolean): void {
    this.isReplaced = isReplaced;
    this.stop();
  }

  private async answer(question: number): Promise<void> {
    const text = await this.measure().catch(() => undefined);
    if (text !== undefined) tell({ type: 'measured', question, text });
  }
}

/** A worker whose keeper has ended ends, too, and needs no answer. */
const tell = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => undefined);
