import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process may take that many times longer to start than to do its work. */
const START_FACTOR = 10;
const IDLE_MS = 60_000;

interface Program {
  /** Its file, next to `beside` (an `import.meta.url`), without its ending. */
  name: string;
  beside: string;
  mostMemoryMb: number;
}

/**
 * Runs jobs in child processes without access to files or secrets and with little memory, so that a job cannot disturb
 * requests. A process that takes too long is killed. A thread that runs out of memory would end the whole service. One
 * idle process is kept; the others end after a while.
 */
export class ChildPool<Job, Outcome> {
  private readonly idle: ChildProcess[] = [];
  private readonly trimming = setInterval(() => this.idle.splice(1).forEach(stop), IDLE_MS).unref();

  constructor(private readonly program: Program) {}

  /** What the program answers; fails where it ends or has said nothing in time. */
  async run(job: Job, withinMs: number): Promise<Outcome> {
    const child = this.idle.pop() ?? (await this.start(START_FACTOR * withinMs));
    try {
      const answer = nextMessage<Outcome>(child, withinMs);
      child.send(job as object);
      const outcome = await answer;
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

  private async start(withinMs: number): Promise<ChildProcess> {
    const { name, beside, mostMemoryMb } = this.program;
    // Tests run from the sources, which a process has to be taught to read.
    const isSource = beside.endsWith('.ts');
    const reading = isSource ? ['--import', '@swc-node/register/esm-register'] : [];
    const child = fork(fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, beside)), {
      execArgv: [`--max-old-space-size=${mostMemoryMb}`, ...reading],
      // No secrets; Windows starts nothing without this one.
      env: { SystemRoot: process.env.SystemRoot },
      // Texts of megabytes are copied; written as JSON they would hold up every other request.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // The waiting caller receives the error too; without a listener it would end this process.
    child.on('error', () => undefined);
    await nextMessage(child, withinMs);
    child.unref();
    child.channel?.unref();
    return child;
  }
}

const stop = (child: ChildProcess): boolean => child.kill('SIGKILL');

/** What the child says next; fails where it ends or says nothing in time. */
async function nextMessage<M>(child: ChildProcess, withinMs: number): Promise<M> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(withinMs)]);
  const gone = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('the process ended')));
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as [M];
    return message;
  } finally {
    waiting.abort();
    gone.catch(() => undefined);
  }
}

/** For the program itself: answers each job with what `work` makes of it, until the service is gone. */
export function serveJobs(work: (job: never) => unknown): void {
  process.on('message', (job) => process.send?.(work(job as never)));
  process.once('disconnect', () => process.exit());
  // A signal to the whole group is the parent's affair: it ends this process by closing the channel.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.send?.('ready');
}
