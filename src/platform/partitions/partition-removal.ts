import { setTimeout as pause } from 'node:timers/promises';
import { escapeIdentifier, type Client } from 'pg';
import { withClient } from '../database/connections/client.js';
import type { Connection } from '../database/connections/connection.js';
import { examinePooling } from '../database/connections/pooling.js';
import { sqlState } from '../database/connections/driver-errors.js';
import { OLD_PARTITIONS, type OldPartition, type PartitionedTable } from './partitioned-table.js';

/** An arbitrary number that all builds share: one process at a time removes partitions. */
const REMOVAL_LOCK = 7_401_766;
/** The comment of a partition that is being removed, by which an interrupted removal is known. */
export const REMOVED = 'no longer needed: removed after it is detached';
/** How long one statement waits for those that read a partition; nothing waits behind it. */
const LOCK_MS = 100;
/** How long a writer waits at most behind the lock on a table that a dropped partition refers to. */
const REFERENCED_LOCK_MS = 40;
const ATTEMPTS = 300;
const PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

const quoted = (name: string): string => `partitions.${escapeIdentifier(name)}`;

const MARKED = `SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'partitions'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
    AND obj_description(c.oid, 'pg_class') = '${REMOVED}' ORDER BY c.relname`;

const REFERENCES = `SELECT c.conname AS name, c.confrelid::regclass::text AS referenced FROM pg_constraint c
  WHERE c.contype = 'f' AND c.conrelid = to_regclass('partitions.' || quote_ident($1))`;

/** Whether the role of the connection owns the table, and so can detach and drop its partitions. */
async function isOwner(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'`,
    [`public.${table}`],
  );
  return rows.length > 0 && rows[0].owns;
}

/**
 * Detaches and drops the partitions that are no longer needed, if the role of this direct connection owns the tables.
 * Writers are not held up: a partition is detached concurrently, and a lock on a table that it refers to is given up at
 * once if it is not free. What is interrupted, or finds no free moment, is continued by the next call. Returns the names of
 * the partitions that are gone; undefined if the role is not the owner.
 */
export async function removeOldPartitions(
  connection: Connection,
  tables: readonly PartitionedTable[],
): Promise<string[] | undefined> {
  return withClient(connection, async (client) => {
    for (const { table } of tables) if (!(await isOwner(client, table))) return undefined;
    // What is set for this connection must not reach other clients of a pooler.
    if ((await examinePooling(connection)) !== 'session') return [];
    const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${REMOVAL_LOCK}) AS locked`);
    if (!rows[0].locked) return [];
    await client.query(`SET statement_timeout = 0; SET lock_timeout = ${LOCK_MS}; SET synchronous_commit = off`);
    const removed: string[] = [];
    try {
      removed.push(...(await finishRemovals(client)));
      for (const table of tables) removed.push(...(await removeFrom(client, table)));
    } catch (error) {
      // A reader that takes minutes; the next call goes on.
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
    return removed;
  });
}

/** Finishes what an earlier call has begun. */
async function finishRemovals(client: Client): Promise<string[]> {
  const { rows: pending } = await client.query<{ parent: string; name: string }>(
    'SELECT parent, name FROM month_partitions WHERE is_detaching',
  );
  for (const { parent, name } of pending) await finishDetaching(client, parent, name);
  const { rows: marked } = await client.query<{ name: string }>(MARKED);
  for (const { name } of marked) await drop(client, name);
  return marked.map(({ name }) => name);
}

async function removeFrom(client: Client, { table, days, ended }: PartitionedTable): Promise<string[]> {
  const { rows: old } = await client.query<OldPartition>(OLD_PARTITIONS, [table, days]);
  const removed: string[] = [];
  for (const { name } of old) {
    const { rowCount } = await client.query(
      `SELECT FROM ${quoted(name)} WHERE NOT (${ended?.condition ?? 'false'}) LIMIT 1`,
    );
    if (rowCount !== 0) continue;
    await client.query(`COMMENT ON TABLE ${quoted(name)} IS '${REMOVED}'`);
    await detach(client, table, name);
    await drop(client, name);
    removed.push(name);
  }
  return removed;
}

/** Detaches in two transactions, between which the server waits for all that may still read the partition. */
async function detach(client: Client, table: string, name: string): Promise<void> {
  try {
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${quoted(name)} CONCURRENTLY`);
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    await finishDetaching(client, table, name);
  }
}

/** Continues a detachment of which the first transaction was committed. */
async function finishDetaching(client: Client, table: string, name: string): Promise<void> {
  await untilFree(async () => {
    const { rowCount } = await client.query(
      'SELECT FROM month_partitions WHERE parent = $1 AND name = $2 AND is_detaching',
      [table, name],
    );
    const way = rowCount === 0 ? 'CONCURRENTLY' : 'FINALIZE';
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${quoted(name)} ${way}`);
  });
}

/**
 * Drops a detached partition. Its foreign keys go first, each of which is a trigger of the table that it refers to: that
 * table is locked for as long as the catalog is changed, and not while files are removed and the log is flushed.
 */
async function drop(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ name: string; referenced: string }>(REFERENCES, [name]);
  for (const key of rows) {
    await untilFree(async () => {
      try {
        await client.query(`BEGIN; SET LOCAL lock_timeout = ${REFERENCED_LOCK_MS};
          LOCK TABLE ${key.referenced} IN ACCESS EXCLUSIVE MODE;
          ALTER TABLE ${quoted(name)} DROP CONSTRAINT ${escapeIdentifier(key.name)}; COMMIT`);
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
  }
  await untilFree(() => client.query(`DROP TABLE ${quoted(name)}`));
}

/** Repeats the work while another connection has a lock in its way. */
export async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}
