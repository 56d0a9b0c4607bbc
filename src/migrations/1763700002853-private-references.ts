import type { MigrationInterface, QueryRunner } from 'typeorm';

const unique = (condition: string): string =>
  `CREATE UNIQUE INDEX endeavours_external_ref_taken_idx ON endeavours
   ((external_ref ->> 'source'), (external_ref ->> 'id'), organization_id) WHERE external_ref IS NOT NULL ${condition}`;

/**
 * A private endeavour does not reserve its external reference in its organization, so that nobody learns from a conflict
 * that it exists.
 */
export class PrivateReferences1763700002853 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE INDEX endeavours_external_ref_idx ON endeavours
         ((external_ref ->> 'source'), (external_ref ->> 'id'), organization_id) WHERE external_ref IS NOT NULL`,
      `DROP INDEX endeavours_external_ref_taken_idx`,
      unique('AND NOT is_private'),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP INDEX endeavours_external_ref_idx`,
      `DROP INDEX endeavours_external_ref_taken_idx`,
      `UPDATE endeavours e SET external_ref = NULL WHERE EXISTS (SELECT 1 FROM endeavours other
         WHERE other.organization_id = e.organization_id AND other.id < e.id
           AND other.external_ref ->> 'source' = e.external_ref ->> 'source'
           AND other.external_ref ->> 'id' = e.external_ref ->> 'id')`,
      unique(''),
    ]) {
      await runner.query(statement);
    }
  }
}
