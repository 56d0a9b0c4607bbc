import type { RunQuery } from '../audit/audit-verification.js';
import { collapsed } from '../database/schema/database-objects.js';
import type { ExpectedObjects } from './expected-objects.js';
import { fault, ok, type DoctorFinding } from './findings.js';

const MAX_LISTED = 10;

const NOT_OF_EXTENSION = (oid: string): string =>
  `NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;

const FUNCTIONS = `SELECT n.nspname || '.' || p.proname AS name, p.prosrc AS body
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname IN ('public', 'confined') AND ${NOT_OF_EXTENSION('p.oid')}`;

const TRIGGERS = `SELECT c.relname || '.' || t.tgname AS name, t.tgenabled IN ('O', 'A') AS works
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE NOT t.tgisinternal AND n.nspname IN ('public', 'confined')`;

const INDEXES = `SELECT c.relname AS name, i.indisvalid AS works
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('public', 'confined')`;

/**
 * Compares functions, triggers and indexes with those of this release. Without one of them, rules are not
 * enforced or statements read whole tables, and nothing else shows it.
 */
export async function examineObjects(query: RunQuery, expected: ExpectedObjects): Promise<DoctorFinding[]> {
  const functions = await query<{ name: string; body: string }>(FUNCTIONS);
  const bodies = new Map(functions.map(({ name, body }) => [name, collapsed(body)]));
  const changed = [...expected.functions].filter(([name, body]) => bodies.has(name) && bodies.get(name) !== body);
  const problems = [
    ...listed(
      'functions are missing',
      [...expected.functions.keys()].filter((name) => !bodies.has(name)),
    ),
    ...listed(
      'functions differ from those of this release',
      changed.map(([name]) => name),
    ),
    ...compared('triggers', 'disabled', expected.triggers, await query(TRIGGERS)),
    ...compared('indexes', 'invalid', expected.indexes, await query(INDEXES)),
  ];
  if (problems.length > 0) return problems;
  const { triggers, indexes } = expected;
  return [
    ok(
      `All ${expected.functions.size} functions, ${triggers.size} triggers and ${indexes.size} indexes are as declared.`,
    ),
  ];
}

function compared(
  kind: string,
  broken: string,
  declared: ReadonlySet<string>,
  rows: { name: string; works: boolean }[],
): DoctorFinding[] {
  const found = new Map(rows.map(({ name, works }) => [name, works]));
  return [
    ...listed(
      `${kind} are missing`,
      [...declared].filter((name) => !found.has(name)),
    ),
    ...listed(
      `${kind} are ${broken}`,
      [...declared].filter((name) => found.get(name) === false),
    ),
  ];
}

function listed(what: string, names: string[]): DoctorFinding[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  const remedy = 'Restore them from a backup, or from a new database that npm run migrate has prepared.';
  return [fault(`These ${what}: ${names.slice(0, MAX_LISTED).join(', ')}${more}. ${remedy}`)];
}
