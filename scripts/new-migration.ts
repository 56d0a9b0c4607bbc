/**
 * Run by new-migration.mjs with a valid name: writes the migration that makes the tables equal to the entities, and
 * functions, views and triggers to those that the features declare, and registers it. The schema of the existing
 * migrations comes from a temporary database.
 */
import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.js';
import { makeDataSource } from '../src/platform/database/connections/data-source.js';
import { migrate } from '../src/platform/database/schema/migrations.js';
import {
  dropping,
  objectDifferences,
  replacing,
  type ObjectDifference,
} from '../src/platform/database/schema/object-differences.js';
import { OBJECTS, SCHEMA } from '../src/schema.js';
import { stepsBesideWriters, type Step } from './migration-steps.js';
import { nextTimestamp } from './next-migration.mjs';
import { removes } from './schema-changes.mjs';
import { formatted, writeAll } from './write-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Difference {
  tables: { up: string[]; down: string[] };
  objects: ObjectDifference[];
}

/** The statements that lead from the migrations to the entities and the declared objects, and back. */
async function compare(): Promise<Difference> {
  const dataDir = mkdtempSync(join(tmpdir(), 'worksmith-migration-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, unsafeForTests: true });
  try {
    await migrate(postgres.connection, SCHEMA);
    const source = await makeDataSource(postgres.connection, SCHEMA).initialize();
    const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
    const runner = source.createQueryRunner();
    const objects = await objectDifferences((sql) => runner.query(sql), OBJECTS);
    await runner.release();
    await source.destroy();
    const [up, down] = [upQueries, downQueries.toReversed()].map((queries) => queries.map(({ query }) => query));
    return { tables: { up, down }, objects };
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The statements that make an object as declared. */
function statementsTo({ kind, name, statement, definition }: ObjectDifference): string[] {
  if (statement === undefined) return [dropping({ kind, name })];
  return definition === undefined ? [statement] : replacing({ kind, name, statement });
}

/** The statements that make it as it was before. */
const statementsBack = ({ kind, name, definition }: ObjectDifference): string[] =>
  definition === undefined
    ? [dropping({ kind, name })]
    : replacing({ kind, name, statement: definition.replace(/^CREATE OR REPLACE /, 'CREATE ') });

/** What removes or renames something waits until no replica of the previous release is left. */
const phaseOf = ({ tables, objects }: Difference): string =>
  tables.up.some(removes) || objects.some(({ kind, statement }) => statement === undefined && kind !== 'triggers')
    ? 'contract'
    : 'expand';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** As the other migrations write statements: without TypeORM's quotes, schema and spare spaces. */
const plain = (statement: string): string =>
  statement
    .replaceAll('"public".', '')
    .replaceAll(/"([a-z_]+)"/g, '$1')
    .replaceAll('  (', ' (');

const literal = (statement: string): string => `\`${statement.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&').trim()}\``;

/** The statements of the difference, and those that undo it. */
const stepOf = ({ tables, objects }: Difference): Step => ({
  up: [...tables.up.map(plain), ...objects.flatMap(statementsTo)],
  down: [...objects.toReversed().flatMap(statementsBack), ...tables.down.map(plain)],
});

const method = (name: string, statements: string[]): string => `
  async ${name}(runner: QueryRunner): Promise<void> {
    ${statements.map((statement) => `await runner.query(${literal(statement)});`).join('\n    ')}
  }`;

const NOTHING_TO_UNDO = `
  async down(): Promise<void> {
    // The constraints go with the migration before.
  }`;

const WITHOUT_TRANSACTION = `
  /** A transaction cannot build an index beside writers. What an interrupted run left is not valid. */
  readonly transaction = false;`;

const migrationText = (
  className: string,
  { up, down }: Step,
  { phase = 'expand', about = '' }: { phase?: string; about?: string } = {},
): string => `import type { MigrationInterface, QueryRunner } from 'typeorm';

${about}export class ${className} implements MigrationInterface {
  static readonly phase = '${phase}';
${up.some((statement) => statement.includes(' CONCURRENTLY ')) ? WITHOUT_TRANSACTION : ''}
${method('up', up)}
${down.length === 0 ? NOTHING_TO_UNDO : method('down', down)}
}
`;

/** The files of migrations, which are numbered from the timestamp on, and their lines of the list. */
function filesOf(name: string, timestamp: number, difference: Difference): { files: [string, string][]; list: string } {
  const { first, second } = stepsBesideWriters(stepOf(difference));
  const about = '/** Reads the rows without blocking writes: validates constraints, and builds indexes. */\n';
  const texts: [name: string, textOf: (className: string) => string][] = [
    [name, (className) => migrationText(className, first, { phase: phaseOf(difference) })],
  ];
  if (second !== undefined) texts.push([`checked-${name}`, (className) => migrationText(className, second, { about })]);
  const named = texts.map(([words, textOf], at) => {
    const className = `${words.split('-').map(capitalized).join('')}${timestamp + at}`;
    return { className, file: `${timestamp + at}-${words}`, text: textOf(className) };
  });
  return {
    files: named.map(({ file, text }) => [`src/migrations/${file}.ts`, text]),
    list: named.map(({ className, file }) => `export { ${className} } from './${file}.js';\n`).join(''),
  };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [name = ''] = process.argv.slice(2);
const difference = await compare();
if (difference.tables.up.length + difference.objects.length === 0)
  fail(
    'The migrations already lead to the tables of the entities, and to the declared functions, views and triggers. ' +
      'Change an entity or a declaration first.',
  );

const { files, list } = filesOf(name, nextTimestamp(root), difference);
const index = 'src/migrations/index.ts';
writeAll(root, await formatted(root, [...files, [index, readFileSync(join(root, index), 'utf8') + list]]));
const paths = files.map(([path]) => path).join(' and ');
process.stdout.write(`${paths}: written and registered; read before you commit.\n`);
