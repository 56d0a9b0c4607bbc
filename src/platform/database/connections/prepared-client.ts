import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { isStatementLost } from './driver-errors.js';
import { commitUnconfirmed, isUnconfirmed } from './outcome-unknown.js';
import { CORRECT, parametersOf, type SessionSettings } from './session-settings.js';

// A day has no time zone, so it stays a text.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A prepared statement for a list takes half a megabyte per connection, so rare statements are not prepared. */
const MAX_NAMES = 300;
const MIN_USES = 3;
const MAX_COUNTED = 2_000;

const names = new Map<string, string>();
const uses = new Map<string, number>();

/** A stable server-side name for a frequent statement; undefined for rare ones, or if there are too many names. */
function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= MAX_NAMES) return name;
  const count = (uses.get(text) ?? 0) + 1;
  if (count < MIN_USES) {
    if (uses.size >= MAX_COUNTED) uses.clear();
    uses.set(text, count);
    return undefined;
  }
  uses.delete(text);
  const newName = `p${createHash('sha1').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, newName);
  return newName;
}

/** Whether the statement is a config object whose rows are read as arrays. */
const isArrayConfig = (query: unknown): query is pg.QueryArrayConfig =>
  typeof query === 'object' && query !== null && 'rowMode' in query;

/** The time that a result may take beyond the statement timeout of the server. */
export const GRACE_MS = 2_000;
const STATEMENT_LIMIT = `SELECT extract(epoch FROM current_setting('statement_timeout')::interval)::float8 AS seconds`;

/** When a connection of this process last lost a prepared statement, by `performance.now()`. */
let lostAt = -Infinity;

/** The time since a connection of this process last lost a prepared statement, in milliseconds. */
export const sinceStatementLost = (): number => performance.now() - lostAt;

/** Members that the types of pg do not declare. */
interface ClientInternals {
  connection: EventEmitter & { stream: Socket };
  readyForQuery: boolean;
}

/** The configuration of a connection; `sessionSettings` are what its statements rely on. */
export interface PreparedClientConfig extends pg.ClientConfig {
  sessionSettings?: SessionSettings;
}

/**
 * Names frequent parameterized statements, so that PostgreSQL parses and plans them once per connection. Closes the
 * connection if the server sends nothing for longer than a statement may take, because networks can fail silently. The
 * signature of `query` is loose, because pg's overloads cannot be extended.
 */
export class PreparedClient extends pg.Client {
  private isCorked = false;
  /** The default timeout for results in milliseconds; 0 for none. */
  private defaultTimeoutMs = 0;

  constructor(private readonly config: PreparedClientConfig = {}) {
    super(config);
    // A broken connection rejects each of its statements; without a listener, its event would end the process.
    this.on('error', () => undefined);
    this.on('notice', (notice) => this.rejectUnconfirmed(notice));
  }

  /** Connects, and sends the statements that prepare the session before any other. */
  override connect(): Promise<void>;
  override connect(done: (error: Error) => void): void;
  override connect(done?: (error: Error) => void): unknown {
    const connected = super.connect().then(() => {
      this.stream.on('timeout', () => this.closeIfSilent());
      this.internals.connection.on('errorMessage', ({ code }: { code?: string }) => this.noteError(code));
      void this.prepareSession();
    });
    if (done === undefined) return connected;
    return void connected.then(() => done(undefined as never), done);
  }

  /** Sets the timeout for all further results, the default without an argument; 0 disables it. */
  setSocketTimeout(milliseconds = this.defaultTimeoutMs): void {
    this.stream.setTimeout(milliseconds);
  }

  /**
   * Closes the connection if a result is outstanding and nothing of it has arrived. After a pause of this process the
   * timer is due before what has arrived meanwhile is read, so that is read first.
   */
  private closeIfSilent(): void {
    const { stream } = this;
    const { bytesRead } = stream;
    setImmediate(() => {
      if (!this.isWaiting || stream.bytesRead !== bytesRead) return;
      stream.destroy(new Error(`Connection terminated: the database sent nothing for ${stream.timeout ?? 0} ms`));
    });
  }

  /** Sends one statement and waits for its rows. */
  send(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    return this.query(text, values) as Promise<{ rows: unknown[] }>;
  }

  override query(...args: unknown[]): never {
    this.corkForThisTurn();
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
  private corkForThisTurn(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    const { stream } = this;
    stream.cork();
    setImmediate(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }

  private async prepareSession(): Promise<void> {
    const { sessionSettings } = this.config;
    try {
      if (sessionSettings !== undefined)
        void super.query(CORRECT, parametersOf(sessionSettings)).catch(() => undefined);
      const { rows } = await super.query<{ seconds: number }>(STATEMENT_LIMIT);
      if (rows[0].seconds > 0) this.defaultTimeoutMs = rows[0].seconds * 1_000 + GRACE_MS;
      this.setSocketTimeout();
    } catch {
      // The connection broke immediately; the next caller receives the error.
    }
  }

  /** Closes a connection that lost a prepared statement, because each further use of that statement would fail. */
  private noteError(state: string | undefined): void {
    if (!isStatementLost(state)) return;
    lostAt = performance.now();
    setImmediate(() => this.stream.destroy());
  }

  /**
   * Rejects a statement whose commit is not on the synchronous standby, which PostgreSQL reports as a success. The error
   * goes the way of a broken connection, because the success that follows may be in the same packet.
   */
  private rejectUnconfirmed(notice: { code?: string; routine?: string }): void {
    if (this.isWaiting && isUnconfirmed(notice)) this.internals.connection.emit('error', commitUnconfirmed());
  }

  private get internals(): ClientInternals {
    return this as unknown as ClientInternals;
  }

  private get stream(): Socket {
    return this.internals.connection.stream;
  }

  /** Whether a result is outstanding. */
  private get isWaiting(): boolean {
    return !this.internals.readyForQuery;
  }
}
