import type { MigrationInterface, QueryRunner } from 'typeorm';
import { load } from 'js-yaml';
import { sourceText } from './baseline/source-text.js';

interface Report {
  id: string;
  scope: string;
  lang: string;
}

/** The built-in reports show keys and stages; a new database has them from the baseline. */
export class ReportsWithKeys1763700004517 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const { id, scope, lang } of load(sourceText('modules/templates/seeds/reports.yaml')) as Report[]) {
      const body = sourceText(`modules/templates/seeds/${scope}.${lang}.liquid`).replace(/\n$/, '');
      await runner.query(
        `UPDATE templates SET body = $2, updated_at = now(), revision = revision + 1 WHERE id = $1 AND body <> $2`,
        [id, body],
      );
    }
  }

  /** Reports of the release before show nothing for what it does not know. */
  async down(): Promise<void> {}
}
