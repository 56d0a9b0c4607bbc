import type { MigrationInterface, QueryRunner } from 'typeorm';

const container = `current_setting('worksmith.container', true)`;

/** The operations that a confined request sees (migration `Confinement`), with all current columns. */
const CONFINED = `CREATE OR REPLACE VIEW confined.operations AS
  SELECT op.* FROM operations op
  WHERE ${container} = '' OR op.container_id = ${container}
    OR op.container_id IN (SELECT e.id FROM endeavours e WHERE e.organization_id = ${container})
  WITH CHECK OPTION`;

/** Counts the attempts at a batch of an operation during which the process crashed. */
export class LostPieces1763700002200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE operations ADD COLUMN lost integer NOT NULL DEFAULT 0`);
    await runner.query(CONFINED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW confined.operations`);
    await runner.query(`ALTER TABLE operations DROP COLUMN lost`);
    await runner.query(CONFINED);
  }
}
