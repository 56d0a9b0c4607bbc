import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import pg from 'pg';

/** A prepared page of a list takes half a megabyte on each connection, so rare statements go without. */
const MOST_NAMES = 300;
const WORTH_A_NAME = 3;
const MOST_COUNTED = 2_000;

const names = new Map<string, string>();
const counted = new Map<string, number>();

/** A stable server-side name for a statement that has come often enough; none for others, or once there are too many. */
function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= MOST_NAMES) return name;
  const times = (counted.get(text) ?? 0) + 1;
  if (times < WORTH_A_NAME) {
    if (counted.size >= MOST_COUNTED) counted.clear();
    counted.set(text, times);
    return undefined;
  }
  counted.delete(text);
  const given = `p${createHash('sha1').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, given);
  return given;
}

/**
 * Names the parameterised statements that come often, so that PostgreSQL parses and plans them once per connection.
 * The signature is loose because pg's own is overloaded beyond what can be extended.
 */
export class PreparedClient extends pg.Client {
  private isGathering = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // A connection that breaks tells each of its statements; the event would end the process if nobody listened.
    this.on('error', () => undefined);
  }

  /** Sends one statement and waits for its rows. */
  send(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    return this.query(text, values) as Promise<{ rows: unknown[] }>;
  }

  override query(...args: unknown[]): never {
    this.gather();
    const [text, values] = args;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = nameOf(text);
      if (name !== undefined) return super.query({ name, text, values } as pg.QueryConfig, args[2] as never) as never;
    }
    return super.query(...(args as [never]));
  }

  /** What is asked in one turn of the event loop leaves in one piece: a system call each costs more than a small statement. */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    setImmediate(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }
}
