import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the migrations leave in a database: the bodies of functions by name, and the names of triggers and indexes. */
export interface DeclaredObjects {
  functions: Map<string, string>;
  /** As `table.trigger`. */
  triggers: Set<string>;
  /** The tables of indexes by their names. */
  indexes: Map<string, string>;
}

const NAME = '[\\w.]+';
const CHANGE = new RegExp(
  [
    `CREATE\\s+(?:OR\\s+REPLACE\\s+)?FUNCTION\\s+(?<makesFunction>${NAME})\\s*\\(`,
    'DROP\\s+FUNCTION\\s+(?:IF\\s+EXISTS\\s+)?(?<dropsFunctions>[^;]+)',
    `CREATE\\s+(?:CONSTRAINT\\s+)?TRIGGER\\s+(?<makesTrigger>\\w+)[^;]+?\\sON\\s+(?<onTable>${NAME})`,
    `DROP\\s+TRIGGER\\s+(?:IF\\s+EXISTS\\s+)?(?<dropsTrigger>\\w+)\\s+ON\\s+(?<fromTable>${NAME})`,
    `CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+(?:CONCURRENTLY\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?(?<makesIndex>\\w+)\\s+ON\\s+(?<ofTable>\\w+)`,
    'DROP\\s+INDEX\\s+(?:CONCURRENTLY\\s+)?(?:IF\\s+EXISTS\\s+)?(?<dropsIndexes>[^;]+)',
    'DROP\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(?<dropsTables>[^;]+)',
  ].join('|'),
  'gi',
);
const BODY = /\$(\w*)\$([\s\S]*?)\$\1\$/;

/**
 * Reads what the migrations declare from the statements that they would send. It runs them without a database; a
 * migration that reads rows finds none.
 */
export async function declaredObjects(migrations: Function[]): Promise<DeclaredObjects> {
  const found: DeclaredObjects = { functions: new Map(), triggers: new Set(), indexes: new Map() };
  const query = (sql: string): Promise<unknown[]> => {
    for (const change of sql.matchAll(CHANGE)) apply(found, change.groups ?? {}, sql.slice(change.index));
    return Promise.resolve([]);
  };
  for (const migration of migrations) {
    await new (migration as new () => MigrationInterface)().up({ query } as unknown as QueryRunner);
  }
  return found;
}

const qualified = (name: string): string => (name.includes('.') ? name : `public.${name}`).toLowerCase();

/** The names in a list such as `one(text), two CASCADE`. */
const namesIn = (list = ''): string[] =>
  list
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((part) => part.trim().split(/\s/)[0]);

function apply(found: DeclaredObjects, change: Partial<Record<string, string>>, rest: string): void {
  const { functions, triggers, indexes } = found;
  const { makesFunction, makesTrigger, makesIndex, dropsTrigger, dropsTables } = change;
  if (makesFunction !== undefined) functions.set(qualified(makesFunction), BODY.exec(rest)?.[2] ?? '');
  if (makesTrigger !== undefined) triggers.add(`${change.onTable}.${makesTrigger}`);
  if (makesIndex !== undefined) indexes.set(makesIndex, change.ofTable ?? '');
  if (dropsTrigger !== undefined) triggers.delete(`${change.fromTable}.${dropsTrigger}`);
  for (const name of namesIn(change.dropsFunctions)) functions.delete(qualified(name));
  for (const name of namesIn(change.dropsIndexes)) indexes.delete(name);
  for (const table of namesIn(dropsTables)) {
    for (const [index, owner] of indexes) if (owner === table) indexes.delete(index);
    for (const trigger of triggers) if (trigger.startsWith(`${table}.`)) triggers.delete(trigger);
  }
}
