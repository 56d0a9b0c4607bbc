import { collapsed, type DeclaredObject, type ObjectKind } from './database-objects.js';

type Query = (sql: string) => Promise<unknown>;

/** An object that is not as declared. Without a statement it is not declared; without a definition it does not exist. */
export interface ObjectDifference {
  kind: ObjectKind;
  name: string;
  statement?: string;
  /** The statement that makes the object as it is in the database. */
  definition?: string;
}

/** All objects outside extensions with their definitions; names as in {@link DeclaredObject}. */
const DEFINITIONS = `
  SELECT 'functions' AS kind, CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || p.proname AS name,
    pg_get_functiondef(p.oid) AS definition
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname IN ('public', 'confined') AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'views', CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname,
    format('CREATE VIEW %I.%I AS %s', n.nspname, c.relname, pg_get_viewdef(c.oid))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'v' AND n.nspname IN ('public', 'confined')
  UNION ALL
  SELECT 'triggers', c.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.relnamespace IN ('public'::regnamespace, 'confined'::regnamespace)`;

async function definitionsIn(query: Query): Promise<Map<string, string>> {
  const rows = (await query(DEFINITIONS)) as { kind: string; name: string; definition: string }[];
  return new Map(rows.map(({ kind, name, definition }) => [`${kind} ${name}`, definition]));
}

/**
 * Compares the functions, views and triggers of a database with the declared ones: creates those anew in a transaction
 * that is rolled back, because the database keeps no view and no trigger as it was written.
 *
 * @param query runs statements on one connection, outside a transaction
 */
export async function objectDifferences(
  query: Query,
  declared: readonly DeclaredObject[],
): Promise<ObjectDifference[]> {
  const before = await definitionsIn(query);
  const refused = new Set<DeclaredObject>();
  await query('BEGIN; SET LOCAL check_function_bodies = off');
  try {
    for (const object of declared) if (!(await isReplaced(query, object))) refused.add(object);
    const after = await definitionsIn(query);
    const keys = new Set(declared.map(({ kind, name }) => `${kind} ${name}`));
    const differing = declared.filter((object) => {
      const key = `${object.kind} ${object.name}`;
      return refused.has(object) || collapsed(before.get(key) ?? '') !== collapsed(after.get(key) ?? '');
    });
    return [
      ...differing.map(({ kind, name, statement }) => ({
        kind,
        name,
        statement,
        definition: before.get(`${kind} ${name}`),
      })),
      ...[...before].filter(([key]) => !keys.has(key)).map(([key, definition]) => undeclared(key, definition)),
    ];
  } finally {
    await query('ROLLBACK');
  }
}

function undeclared(key: string, definition: string): ObjectDifference {
  const [kind, name] = key.split(' ') as [ObjectKind, string];
  return { kind, name, definition };
}

/** The server refuses some changes, such as other columns of a view or another type of a result. */
async function isReplaced(query: Query, object: DeclaredObject): Promise<boolean> {
  await query('SAVEPOINT replacing');
  try {
    for (const statement of replacing(object)) await query(statement);
    return true;
  } catch {
    await query('ROLLBACK TO SAVEPOINT replacing');
    return false;
  }
}

/** The statements that create an object, or replace the one with this name. */
export function replacing({ kind, name, statement }: DeclaredObject): string[] {
  if (kind !== 'triggers') return [statement.replace(/^CREATE /, 'CREATE OR REPLACE ')];
  return [dropping({ kind, name }, 'IF EXISTS '), statement];
}

/** The statement that drops an object. */
export function dropping({ kind, name }: Pick<DeclaredObject, 'kind' | 'name'>, condition = ''): string {
  const [table, trigger] = name.split('.');
  if (kind === 'triggers') return `DROP TRIGGER ${condition}${trigger} ON ${table}`;
  return `DROP ${kind === 'functions' ? 'FUNCTION' : 'VIEW'} ${condition}${name}`;
}
