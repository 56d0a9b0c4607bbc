import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REPORT_BODIES } from './seeds/report-bodies.js';
import { REPORT_WORDS, type ReportWords } from './seeds/report-words.js';

const SCOPES = Object.keys(REPORT_BODIES) as (keyof ReportWords['names'])[];

/** Updates the built-in reports to their current text; forks of them do not change. */
export class FullerReports1763700000921 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const scope of SCOPES) {
      for (const words of REPORT_WORDS) {
        await runner.query(
          `UPDATE templates SET body = $3, revision = revision + 1, updated_at = now()
           WHERE origin = 'template' AND scope = $1 AND lang = $2 AND body <> $3`,
          [scope, words.lang, REPORT_BODIES[scope](words)],
        );
      }
    }
  }

  /** The former version renders the current texts, except for the filter `number`, which it does not have. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "UPDATE templates SET body = replace(body, ' | number: lang', '') WHERE origin = 'template' AND type = 'report'",
    );
  }
}
