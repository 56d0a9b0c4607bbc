import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';

/** A prepared statement for a list takes half a megabyte per connection, so rare statements are not prepared. */
const MOST_NAMES = 300;
const WORTH_A_NAME = 3;
const MOST_COUNTED = 2_000;

const names = new Map<string, string>();
const counted = new Map<string, number>();

/** A stable server-side name for a frequent statement; undefined for rare ones, or if there are too many names. */
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

/** Whether the statement is a config object whose rows are read as arrays. */
const isArrayConfig = (what: unknown): what is pg.QueryArrayConfig =>
  typeof what === 'object' && what !== null && 'rowMode' in what;

/** How much longer an answer may take than the statement timeout of the server. */
const GRACE_MS = 2_000;
const STATEMENT_LIMIT = `SELECT extract(epoch FROM current_setting('statement_timeout')::interval)::float8 AS seconds`;

/** Members that the types of pg do not declare. */
interface Inside {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

/**
 * Names frequent parameterised statements, so that PostgreSQL parses and plans them once per connection. Closes the
 * connection if the server is silent for longer than a statement may take, because networks can fail silently. The
 * signature is loose because pg's overloads cannot be extended.
 */
export class PreparedClient extends pg.Client {
  private isGathering = false;
  /** The usual timeout for an answer in milliseconds; 0 for none. */
  private patience = 0;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // A broken connection rejects each of its statements; without a listener, its event would end the process.
    this.on('error', () => undefined);
    this.once('connect', () => {
      this.stream.on('timeout', () => this.isAsked && this.stream.destroy());
      void this.learnPatience();
    });
  }

  /** Sets the timeout for answers from now on: 0 for none, without an argument the usual one. */
  setSocketTimeout(milliseconds = this.patience): void {
    this.stream.setTimeout(milliseconds);
  }

  /** Sends one statement and waits for its rows. */
  send(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    return this.query(text, values) as Promise<{ rows: unknown[] }>;
  }

  override query(...args: unknown[]): never {
    this.gather();
    const [text, values] = args;
    if (isArrayConfig(text)) {
      return super.query({ ...text, name: nameOf(text.text) } as pg.QueryConfig, args[2] as never) as never;
    }
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = nameOf(text);
      if (name !== undefined) return super.query({ name, text, values } as pg.QueryConfig, args[2] as never) as never;
    }
    return super.query(...(args as [never]));
  }

  /**
   * Sends the statements of one turn of the event loop together: a system call for each costs more than a small
   * statement.
   */
  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    const { stream } = this;
    stream.cork();
    setImmediate(() => {
      this.isGathering = false;
      stream.uncork();
    });
  }

  private async learnPatience(): Promise<void> {
    try {
      const { rows } = await super.query<{ seconds: number }>(STATEMENT_LIMIT);
      if (rows[0].seconds > 0) this.patience = rows[0].seconds * 1_000 + GRACE_MS;
      this.setSocketTimeout();
    } catch {
      // The connection broke immediately; the next caller receives the error.
    }
  }

  private get stream(): Socket {
    return (this as unknown as Inside).connection.stream;
  }

  private get isAsked(): boolean {
    return !(this as unknown as Inside).readyForQuery;
  }
}
