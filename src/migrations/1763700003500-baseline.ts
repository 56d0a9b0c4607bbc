import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StartError } from '../common/start-error.js';
import { insertBuiltInRows } from './baseline/built-in-rows.js';
import { COMMIT_BEFORE, REPLACED_MIGRATIONS } from './baseline/replaced-migrations.js';
import { sourceText } from './baseline/source-text.js';

/**
 * The schema of a new database and its built-in rows. A database with all migrations that this one replaces is equal to
 * that already, so it is taken over as it is. It keeps the names of those migrations, by which replicas of the release
 * before this one recognize their schema.
 */
export class Baseline1763700003500 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
    if (rows.length > 0) {
      assertComplete(new Set(rows.map(({ name }) => name)));
      return;
    }
    for (const part of ['functions', 'tables', 'views', 'triggers']) {
      await runner.query(sourceText(`migrations/baseline/${part}.sql`));
    }
    await insertBuiltInRows(runner);
  }

  /** Nothing is before the baseline. Reverting it would delete all data. */
  down(): Promise<void> {
    return Promise.reject(new StartError('The baseline cannot be reverted. Restore a backup, or use a new database.'));
  }
}

/** Rejects a database to which only some of the replaced migrations have been applied. */
function assertComplete(applied: ReadonlySet<string>): void {
  const missing = REPLACED_MIGRATIONS.filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  throw new StartError(
    `This database is older than this release can take over: ${missing.length} of the ${REPLACED_MIGRATIONS.length} ` +
      `migrations before its baseline have not been applied, the first is ${missing[0]}. Nothing was changed. Start ` +
      `the commit ${COMMIT_BEFORE} with this database once, or run its npm run migrate, and then this release again.`,
  );
}
