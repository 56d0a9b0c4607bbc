import type { MigrationInterface, QueryRunner } from 'typeorm';
import { collapsed, type DeclaredObject } from '../database/schema/database-objects.js';

/** What a database of this release contains: the bodies of functions by name, and the names of triggers and indexes. */
export interface ExpectedObjects {
  functions: Map<string, string>;
  /** As `table.trigger`. */
  triggers: Set<string>;
  indexes: Set<string>;
}

const BODY = /\$(\w*)\$([\s\S]*?)\$\1\$/;
const CHANGE = new RegExp(
  [
    `CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+(?:CONCURRENTLY\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?(?<makesIndex>\\w+)\\s+ON\\s+(?<ofTable>\\w+)`,
    'DROP\\s+INDEX\\s+(?:CONCURRENTLY\\s+)?(?:IF\\s+EXISTS\\s+)?(?<dropsIndexes>[^;]+)',
    'DROP\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(?<dropsTables>[^;]+)',
  ].join('|'),
  'gi',
);

/** Reads functions and triggers from their declarations, and indexes from the migrations. */
export async function expectedObjects(
  declared: readonly DeclaredObject[],
  migrations: readonly Function[],
): Promise<ExpectedObjects> {
  const named = (kind: DeclaredObject['kind']): DeclaredObject[] => declared.filter((object) => object.kind === kind);
  return {
    functions: new Map(
      named('functions').map(({ name, statement }) => [qualified(name), collapsed(BODY.exec(statement)?.[2] ?? '')]),
    ),
    triggers: new Set(named('triggers').map(({ name }) => name)),
    indexes: await indexesOf(migrations),
  };
}

const qualified = (name: string): string => (name.includes('.') ? name : `public.${name}`);

/**
 * The indexes that the statements of the migrations leave. It runs them without a database; a migration that reads rows
 * finds none.
 */
async function indexesOf(migrations: readonly Function[]): Promise<Set<string>> {
  /** The tables of the indexes by their names. */
  const tables = new Map<string, string>();
  const query = (sql: string): Promise<unknown[]> => {
    for (const { groups = {} } of sql.matchAll(CHANGE)) apply(tables, groups);
    return Promise.resolve([]);
  };
  for (const migration of migrations) {
    await new (migration as new () => MigrationInterface)().up({ query } as unknown as QueryRunner);
  }
  return new Set(tables.keys());
}

function apply(tables: Map<string, string>, change: Partial<Record<string, string>>): void {
  if (change.makesIndex !== undefined) tables.set(change.makesIndex, change.ofTable ?? '');
  for (const name of namesIn(change.dropsIndexes)) tables.delete(name);
  for (const dropped of namesIn(change.dropsTables)) {
    for (const [index, table] of tables) if (table === dropped) tables.delete(index);
  }
}

/** The names in a list such as `one, two CASCADE`. */
const namesIn = (list = ''): string[] => list.split(',').map((part) => part.trim().split(/\s/)[0]);
