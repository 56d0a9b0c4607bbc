import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Client } from 'pg';
import * as objects from '../../src/database-objects.js';
import type { DatabaseObjects } from '../../src/platform/database/schema/database-objects.js';
import { dropping, objectDifferences, replacing } from '../../src/platform/database/schema/object-differences.js';
import { OBJECTS } from '../../src/schema.js';
import { cloneDatabase, dropDatabase, type TestConnection } from '../support/database.js';

describe('the functions, views and triggers', () => {
  let connection: TestConnection;
  let client: Client;

  beforeAll(async () => {
    connection = await cloneDatabase();
    client = new Client(connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await dropDatabase(connection);
  });

  const differences = () => objectDifferences(async (sql) => (await client.query(sql)).rows, OBJECTS);

  it('are as the features declare them after all migrations', async () => {
    expect(await differences()).toEqual([]);
  });

  it.each([
    [
      'functions',
      'CREATE OR REPLACE FUNCTION home_of(endeavour text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT NULL $$',
    ],
    ['functions', 'CREATE FUNCTION nobody_declares_this() RETURNS void LANGUAGE sql AS $$ $$'],
    ['views', 'CREATE OR REPLACE VIEW demand_states AS SELECT id, endeavour_id, lower(status) AS status FROM demands'],
    ['triggers', 'DROP TRIGGER endeavours_replan_rituals ON endeavours'],
  ])('are found to differ in their %s after: %s', async (kind, sql) => {
    await client.query(sql);
    const found = await differences();
    expect(found).toEqual([expect.objectContaining({ kind })]);
    for (const { name, statement, ...rest } of found) {
      const undo =
        statement === undefined
          ? [dropping({ kind: rest.kind, name })]
          : replacing({ kind: rest.kind, name, statement });
      for (const one of undo) await client.query(one);
    }
    expect(await differences()).toEqual([]);
  });

  it('are listed by table in docs/triggers.md (WRITE_DOCS=true writes it)', () => {
    if (process.env.WRITE_DOCS === 'true') writeFileSync('docs/triggers.md', triggersPage());
    expect(readFileSync('docs/triggers.md', 'utf8')).toBe(triggersPage());
  });
});

/** The page that lists the triggers of each table, in the order in which PostgreSQL runs those of one event. */
function triggersPage(): string {
  const list = readFileSync('src/database-objects.ts', 'utf8');
  const fileOf = (functionName: string): string => {
    const isOwner = ([, { functions = [] }]: [string, DatabaseObjects]): boolean =>
      functions.some((statement) => statement.startsWith(`CREATE FUNCTION ${functionName}(`));
    const [owner] = Object.entries<DatabaseObjects>(objects).find(isOwner) ?? [];
    return basename(new RegExp(`export { ${owner} } from '(.+)\\.js'`).exec(list)?.[1] ?? '');
  };
  const tables = new Map<string, string[]>();
  for (const { kind, name, statement } of [...OBJECTS].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (kind !== 'triggers') continue;
    const [table, trigger] = name.split('.');
    const [, event] = new RegExp(`TRIGGER ${trigger}\\s+([\\s\\S]+?)\\s+ON ${table}\\b`).exec(statement) ?? [];
    const [, called = ''] = /EXECUTE FUNCTION (\w+)/.exec(statement) ?? [];
    const when = (event ?? '').replaceAll(/\s+/g, ' ').replaceAll(/[A-Z]+/g, (word) => word.toLowerCase());
    const row = `| \`${trigger}\` | ${when} | \`${called}\` | \`${fileOf(called)}.ts\` |`;
    tables.set(table, [...(tables.get(table) ?? []), row]);
  }
  const sections = [...tables].map(([table, rows]) =>
    [`## ${table}`, '', '| trigger | runs | function | declared in |', '|---|---|---|---|', ...rows, ''].join('\n'),
  );
  return [
    '# Triggers by table',
    '',
    'What PostgreSQL does by itself when a row is written. The files that declare the functions say what each is for. This page is',
    'generated from them: `WRITE_DOCS=true npm test -- test/architecture/database-objects.spec.ts`.',
    '',
    ...sections,
  ].join('\n');
}
