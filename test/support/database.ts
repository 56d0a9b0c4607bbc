import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { askHelper } from './helpers.js';

export interface TestConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

/** Creates a database for a test by cloning the migrated template. */
export const cloneDatabase = (): Promise<TestConnection> => createDatabase('template_worksmith');

/** Creates a database for a test: an empty one, or a copy of the template. */
export async function createDatabase(template = 'template0'): Promise<TestConnection> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  const server = await execute(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  return { ...server, database };
}

export async function dropDatabase({ database }: TestConnection): Promise<void> {
  await execute(`DROP DATABASE ${database} WITH (FORCE)`);
}

/** Runs a statement on the PostgreSQL server of this test run, and returns the connection settings of the server. */
async function execute(sql: string): Promise<TestConnection> {
  const server = await askHelper<TestConnection>('postgres');
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(sql);
    return server;
  } finally {
    await client.end();
  }
}

/** Runs the statements of a test on the database of the service, through separate connections. */
export class TestDatabase {
  private readonly pool: pg.Pool;

  constructor(connection: TestConnection) {
    this.pool = new pg.Pool({ ...connection, max: 4 });
    // The server ends the connections of a database that is dropped; idle ones report that as an event.
    this.pool.on('error', () => undefined);
  }

  /** Runs a statement with `$1`-style parameters; several in one string have no parameters and return no rows. */
  async query<R = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<R[]> {
    const result: pg.QueryResult | pg.QueryResult[] = await this.pool.query(sql, parameters);
    return Array.isArray(result) ? [] : (result.rows as R[]);
  }

  async one<R = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<R | undefined> {
    const [row] = await this.query<R>(sql, parameters);
    return row;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
