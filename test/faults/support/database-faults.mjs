import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withDatabase } from './database.mjs';
import { isAlive, send } from './processes.mjs';

const STORMERS = 4;

/** Failures of a database. `inject` resolves when the failure is over; the service must recover from then on. */
export const FAULTS = [
  {
    name: 'server restarted',
    inject: async ({ postgres }) => {
      const { postmaster } = postgres;
      send(postmaster, 'SIGINT');
      while (isAlive(postmaster)) await pause(10);
    },
  },
  {
    name: 'connections killed',
    inject: ({ postgres, seconds }) =>
      withDatabase(postgres.connection, async (query) => {
        for (const end = Date.now() + seconds * 1_000; Date.now() < end; await pause(20)) {
          await query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'worksmith' ORDER BY random() LIMIT 1`,
          );
        }
      }),
  },
  {
    name: 'every connection of the pool held up',
    inject: ({ postgres, seconds }) =>
      withDatabase(postgres.connection, async (query) => {
        await query('BEGIN');
        await query('LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
        await pause(seconds * 1_000);
        await query('ROLLBACK');
      }),
  },
  {
    name: 'storm of locks and deadlocks',
    load: 'storm',
    inject: async ({ postgres, people, seconds }) => {
      const end = Date.now() + seconds * 1_000;
      await Promise.all(Array.from({ length: STORMERS }, () => lockAtRandom(postgres.connection, people.shared, end)));
    },
  },
  {
    name: 'network silent, then open again',
    inject: async ({ proxy, seconds }) => {
      proxy.silence();
      await pause(seconds * 1_000);
      proxy.resume();
    },
  },
  {
    name: 'network silent, then without its connections',
    inject: async ({ proxy, seconds }) => {
      proxy.silence();
      await pause(seconds * 1_000);
      proxy.cut();
    },
  },
  {
    name: 'disk full',
    needsDisk: true,
    inject: async ({ disk, seconds }) => {
      disk.fill();
      await pause(seconds * 1_000);
      disk.empty();
    },
  },
];

/** Locks the same rows as the service in random order; PostgreSQL ends the deadlocks by aborting one of the two. */
async function lockAtRandom(connection, ids, end) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  while (Date.now() < end) {
    const order = ids.toSorted(() => Math.random() - 0.5).slice(0, 4);
    await client.query('BEGIN');
    try {
      for (const id of order) await client.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [id]);
      await client.query('COMMIT');
    } catch {
      await client.query('ROLLBACK');
    }
  }
  await client.end();
}
