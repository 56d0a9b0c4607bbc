import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By table: the container within which a reference is unique; for resources and endeavours without a home, the creator.
 */
const CONTAINERS: Record<string, string> = {
  tasks: 'endeavour_id',
  demands: 'endeavour_id',
  artifacts: 'endeavour_id',
  resources: '(coalesce(organization_id, created_by))',
  endeavours: '(coalesce(organization_id, created_by))',
};

/**
 * References to the same entity in another system. Rows without a reference are not in the index, so writing them has
 * no additional cost.
 */
export class ExternalRefs1763700001300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, container] of Object.entries(CONTAINERS)) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN external_ref jsonb`);
      await runner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${table}_external_ref_check CHECK (external_ref IS NULL OR (
           jsonb_typeof(external_ref) = 'object'
           AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND 50
           AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND 200))`,
      );
      await runner.query(
        `CREATE UNIQUE INDEX ${table}_external_ref_taken_idx
         ON ${table} ((external_ref ->> 'source'), (external_ref ->> 'id'), ${container}) WHERE external_ref IS NOT NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(CONTAINERS)) await runner.query(`ALTER TABLE ${table} DROP COLUMN external_ref`);
  }
}
