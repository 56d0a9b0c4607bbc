import { randomBytes } from 'node:crypto';
import pg from 'pg';

interface TestConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

/** A database of one's own, cloned from the migrated template. */
export async function cloneDatabase(): Promise<{ connection: TestConnection; drop(): Promise<void> }> {
  const server = JSON.parse(process.env.TEST_POSTGRES ?? '{}') as TestConnection;
  const database = `test_${randomBytes(6).toString('hex')}`;
  await run(server, `CREATE DATABASE ${database} TEMPLATE template_worksmith`);
  return {
    connection: { ...server, database },
    drop: () => run(server, `DROP DATABASE ${database} WITH (FORCE)`),
  };
}

async function run(server: TestConnection, sql: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
