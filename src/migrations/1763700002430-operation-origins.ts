import type { MigrationInterface, QueryRunner } from 'typeorm';

const container = `current_setting('worksmith.container', true)`;

/** The operations that a confined request sees (migration `Confinement`), with all current columns. */
const CONFINED = `CREATE OR REPLACE VIEW confined.operations AS
  SELECT op.* FROM operations op
  WHERE ${container} = '' OR op.container_id = ${container}
    OR op.container_id IN (SELECT e.id FROM endeavours e WHERE e.organization_id = ${container})
  WITH CHECK OPTION`;

/** The origin of the request that started an operation, for its events and audit entries. */
export class OperationOrigins1763700002430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE operations ADD COLUMN origin jsonb`);
    await runner.query(CONFINED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW confined.operations`);
    await runner.query(`ALTER TABLE operations DROP COLUMN origin`);
    await runner.query(CONFINED);
  }
}
