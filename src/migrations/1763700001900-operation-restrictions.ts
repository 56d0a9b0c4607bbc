import type { MigrationInterface, QueryRunner } from 'typeorm';

const container = `current_setting('worksmith.container', true)`;

/** The operations that a confined request sees (migration `Confinement`), with all current columns. */
const CONFINED = `CREATE OR REPLACE VIEW confined.operations AS
  SELECT op.* FROM operations op
  WHERE ${container} = '' OR op.container_id = ${container}
    OR op.container_id IN (SELECT e.id FROM endeavours e WHERE e.organization_id = ${container})
  WITH CHECK OPTION`;

/** Restricts an operation to the container of the token that started it. */
export class OperationRestrictions1763700001900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE operations ADD COLUMN restricted_to text`);
    await runner.query(CONFINED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW confined.operations`);
    await runner.query(`ALTER TABLE operations DROP COLUMN restricted_to`);
    await runner.query(CONFINED);
  }
}
