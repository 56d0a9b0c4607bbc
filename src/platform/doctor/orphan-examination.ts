import type { RunQuery } from '../audit/audit-verification.js';
import { sqlState } from '../database/connections/driver-errors.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

const MAX_COUNTED = 1_000;
/** The time for one pair of tables; larger ones are named instead. */
const LIMIT = '30s';
const CANCELED = '57014';

interface ForeignKey {
  name: string;
  table: string;
  parent: string;
  columns: string[];
  keys: string[];
}

const columnsOf = (numbers: string, table: string): string =>
  `(SELECT array_agg(quote_ident(a.attname) ORDER BY k.at) FROM unnest(${numbers}) WITH ORDINALITY k (number, at)
     JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;

const FOREIGN_KEYS = `
  SELECT c.conname AS name, c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS parent,
    ${columnsOf('c.conkey', 'c.conrelid')} AS columns, ${columnsOf('c.confkey', 'c.confrelid')} AS keys
  FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace ORDER BY c.conname`;

/**
 * Looks for rows that refer to rows which do not exist. Foreign keys prevent them, unless triggers were switched off,
 * such as for loading data, or files of the database were changed. Runs within a transaction.
 */
export async function examineOrphans(query: RunQuery): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const unread: string[] = [];
  for (const key of await query<ForeignKey>(FOREIGN_KEYS)) {
    const count = await countOrphans(query, key);
    if (count === undefined) unread.push(key.name);
    else if (count > 0) findings.push(fault(textOf(key, count)));
  }
  if (unread.length > 0) {
    findings.push(
      warning(`These tables are too large to look for orphans within ${LIMIT} each: ${unread.join(', ')}.`),
    );
  }
  return findings.length > 0 ? findings : [ok('No row names a row that does not exist.')];
}

/** Undefined if counting takes too long. */
async function countOrphans(
  query: RunQuery,
  { table, parent, columns, keys }: ForeignKey,
): Promise<number | undefined> {
  const named = columns.map((column) => `c.${column} IS NOT NULL`).join(' AND ');
  const same = columns.map((column, at) => `p.${keys[at]} = c.${column}`).join(' AND ');
  await query(`SAVEPOINT orphans; SET LOCAL statement_timeout = '${LIMIT}'`);
  try {
    const [{ count }] = await query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (
         SELECT 1 FROM ${table} c WHERE ${named} AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE ${same})
         LIMIT ${MAX_COUNTED}) orphans`,
    );
    return count;
  } catch (error) {
    if (sqlState(error) !== CANCELED) throw error;
    return undefined;
  } finally {
    // Also restores the time limit.
    await query('ROLLBACK TO SAVEPOINT orphans; RELEASE SAVEPOINT orphans');
  }
}

function textOf({ name, table, parent, columns }: ForeignKey, count: number): string {
  const rows = count === MAX_COUNTED ? `At least ${count} rows` : `${count} rows`;
  return (
    `${rows} of ${table} name ${parent} that do not exist (${columns.join(', ')}; ${name}). The constraint was bypassed: ` +
    'restore a backup, or ask for help before changing anything.'
  );
}
