import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The time limit for starting a process, as a multiple of that for a job. */
const START_FACTOR = 10;
const IDLE_MS = 60_000;

interface Program {
  /** The file name without its extension, relative to `baseUrl` (an `import.meta.url`). */
  name: string;
  baseUrl: string;
  maxMemoryMb: number;
}

/**
 * Runs jobs in child processes that have no secrets and little memory, so that a job cannot disturb requests. They are
 * processes because a thread that runs out of memory would end the whole service. A process that exceeds its time limit
 * is killed. One idle process is kept; the others end after a minute.
 */
export class ChildPool<Job, Outcome> {
  private readonly idle: ChildProcess[] = [];
  private readonly trimming = setInterval(() => this.idle.splice(1).forEach(stop), IDLE_MS).unref();

  constructor(private readonly program: Program) {}

  /** Returns the result of the job; rejects if the process exits or exceeds the time limit. */
  async run(job: Job, timeoutMs: number): Promise<Outcome> {
    const child = this.idle.pop() ?? (await this.start(START_FACTOR * timeoutMs));
    try {
      const reply = nextMessage<Outcome>(child, timeoutMs);
      child.send(job as object);
      const outcome = await reply;
      this.idle.push(child);
      return outcome;
    } catch (error) {
      stop(child);
      throw error;
    }
  }

  close(): void {
    clearInterval(this.trimming);
    this.idle.splice(0).forEach(stop);
  }

  private async start(timeoutMs: number): Promise<ChildProcess> {
    const { name, baseUrl, maxMemoryMb } = this.program;
    // Tests run the TypeScript sources, for which the child process needs a loader.
    const isSource = baseUrl.endsWith('.ts');
    const loader = isSource ? ['--import', './scripts/typescript-loader.mjs'] : [];
    const child = fork(fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, baseUrl)), {
      execArgv: [`--max-old-space-size=${maxMemoryMb}`, ...loader],
      // The environment contains secrets, so it is not inherited; Windows cannot start a process without SystemRoot.
      env: { SystemRoot: process.env.SystemRoot },
      // Structured clones; converting texts of megabytes to JSON would block all other requests.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // The waiting caller also receives the error; without a listener, the event would end this process.
    child.on('error', () => undefined);
    await nextMessage(child, timeoutMs);
    child.unref();
    child.channel?.unref();
    return child;
  }
}

const stop = (child: ChildProcess): boolean => child.kill('SIGKILL');

/** Returns the next message of the child process; rejects if it exits or exceeds the time limit. */
async function nextMessage<M>(child: ChildProcess, timeoutMs: number): Promise<M> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(timeoutMs)]);
  const exited = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('the process ended')));
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), exited])) as [M];
    return message;
  } finally {
    settled.abort();
    exited.catch(() => undefined);
  }
}

/** Called by the child process: replies to each job with the result of `work`, until the parent disconnects. */
export function serveJobs(work: (job: never) => unknown): void {
  process.on('message', (job) => process.send?.(work(job as never)));
  process.once('disconnect', () => process.exit());
  // A signal to the process group also reaches the parent, which ends this process by closing the channel.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.send?.('ready');
}
