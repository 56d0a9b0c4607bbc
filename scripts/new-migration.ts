/**
 * Run by new-migration.mjs with a valid name: writes the migration that makes the tables equal to the entities, and registers it.
 * The schema of the existing migrations comes from a temporary database.
 */
import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.js';
import { makeDataSource } from '../src/platform/database/data-source.js';
import { migrate } from '../src/platform/database/migrations.js';
import { SCHEMA } from '../src/schema.js';
import { nextTimestamp } from './next-migration.mjs';
import { removes } from './schema-changes.mjs';
import { formatted, writeAll } from './write-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Difference {
  up: string[];
  down: string[];
}

/** The statements that lead from the migrations to the entities, and back. */
async function compare(): Promise<Difference> {
  const dataDir = mkdtempSync(join(tmpdir(), 'worksmith-migration-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, unsafeForTests: true });
  try {
    await migrate(postgres.connection, SCHEMA);
    const source = await makeDataSource(postgres.connection, SCHEMA).initialize();
    const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
    await source.destroy();
    return {
      up: upQueries.map(({ query }) => query),
      down: downQueries.map(({ query }) => query).toReversed(),
    };
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What removes or renames something waits until no replica of the previous release is left. */
const phaseOf = (statements: string[]): string => (statements.some(removes) ? 'contract' : 'expand');

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** As the other migrations write statements: without TypeORM's quotes, schema and spare spaces. */
const literal = (statement: string): string =>
  `\`${statement
    .replaceAll('"public".', '')
    .replaceAll(/"([a-z_]+)"/g, '$1')
    .replaceAll('  (', ' (')
    .replaceAll(/[`$\\]/g, '\\$&')
    .trim()}\``;

function migrationText(className: string, { up, down }: Difference): string {
  const method = (name: string, statements: string[]): string => `
  async ${name}(runner: QueryRunner): Promise<void> {
    ${statements.map((statement) => `await runner.query(${literal(statement)});`).join('\n    ')}
  }`;
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  static readonly phase = '${phaseOf(up)}';
${method('up', up)}
${method('down', down)}
}
`;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [name = ''] = process.argv.slice(2);
const difference = await compare();
if (difference.up.length === 0)
  fail('The migrations already lead to the tables of the entities. Change an entity first.');

const timestamp = nextTimestamp(root);
const className = `${name.split('-').map(capitalized).join('')}${timestamp}`;
const file = `src/migrations/${timestamp}-${name}.ts`;
const index = 'src/migrations/index.ts';
const registration = `export { ${className} } from './${timestamp}-${name}.js';\n`;
const texts = await formatted(root, [
  [file, migrationText(className, difference)],
  [index, readFileSync(join(root, index), 'utf8') + registration],
]);
writeAll(root, texts);
process.stdout.write(`${file} is written and registered; read it before you commit it.\n`);
