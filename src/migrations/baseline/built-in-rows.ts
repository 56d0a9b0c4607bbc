import { load } from 'js-yaml';
import type { QueryRunner } from 'typeorm';
import { sourceText } from './source-text.js';

interface BuiltInRow {
  id: string | number;
  name: string;
}
interface Report extends BuiltInRow {
  scope: string;
  lang: string;
}
interface Policy extends BuiltInRow {
  conditions: unknown;
}

/** Built-in entities are as old as this, so that everything that users create is newer. */
const BUILT_IN_AT = new Date(1_763_700_000_000);

/** The rows in a data file; their properties are columns. */
const rowsOf = <T extends BuiltInRow>(file: string): T[] => load(sourceText(file)) as T[];

/** Inserts the rows that every database has: tiers, policies, reports and rituals. */
export async function insertBuiltInRows(runner: QueryRunner): Promise<void> {
  for (const row of rowsOf('access/tiers/seeds/tiers.yaml')) await insert(runner, 'tiers', row);
  for (const { conditions, ...row } of rowsOf<Policy>('modules/dod/seeds/policies.yaml')) {
    await insertEntity(runner, 'dod_policy', 'dod_policies', { ...row, conditions: JSON.stringify(conditions) });
  }
  for (const row of rowsOf<Report>('modules/templates/seeds/reports.yaml')) {
    const body = sourceText(`modules/templates/seeds/${row.scope}.${row.lang}.liquid`).replace(/\n$/, '');
    await insertEntity(runner, 'template', 'templates', { ...row, body, ...DATED });
  }
  for (const lang of ['en', 'de', 'fr', 'es']) {
    for (const row of rowsOf(`modules/rituals/seeds/rituals.${lang}.yaml`)) {
      await insertEntity(runner, 'ritual', 'rituals', { ...row, ...DATED });
    }
  }
}

const DATED = { created_at: BUILT_IN_AT, updated_at: BUILT_IN_AT };

/** Inserts a built-in entity, which all signed-in users see and can fork. */
async function insertEntity(
  runner: QueryRunner,
  kind: string,
  table: string,
  row: BuiltInRow & Record<string, unknown>,
): Promise<void> {
  await insert(runner, 'entities', { id: row.id, kind, is_global: true, title: row.name });
  await insert(runner, table, { ...row, lineage_id: row.id, origin: 'template' });
}

async function insert(runner: QueryRunner, table: string, row: object): Promise<void> {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `$${index + 1}`);
  await runner.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')})`,
    Object.values(row),
  );
}
