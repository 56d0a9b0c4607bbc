import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BUILT_IN_AT, builtInId, placeBuiltIn } from './seeds/built-in.js';
import { REPORT_BODIES } from './seeds/report-bodies.js';
import { REPORT_WORDS, type ReportWords } from './seeds/report-words.js';

const SCOPES = Object.keys(REPORT_BODIES) as (keyof ReportWords['names'])[];

/**
 * Inserts the built-in reports on tasks, demands, endeavours and organizations, in English, German, French and Spanish.
 */
export class BuiltInReports1763700000602 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    let number = 0;
    for (const scope of SCOPES) {
      for (const words of REPORT_WORDS) {
        number += 1;
        const id = builtInId('tpl', number);
        await placeBuiltIn(runner, id, 'template', words.names[scope]);
        await runner.query(
          `INSERT INTO templates (id, lineage_id, origin, name, scope, lang, body, created_at, updated_at)
           VALUES ($1, $1, 'template', $2, $3, $4, $5, ${BUILT_IN_AT}, ${BUILT_IN_AT})`,
          [id, words.names[scope], scope, words.lang, REPORT_BODIES[scope](words)],
        );
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM templates WHERE origin = 'template'");
    await runner.query(
      "DELETE FROM entities WHERE kind = 'template' AND is_global AND id LIKE 'tpl_00000000000070008000%'",
    );
  }
}
