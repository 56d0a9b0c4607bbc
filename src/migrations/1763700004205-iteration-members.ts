import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What other features see of the work in iterations. */
export class IterationMembers1763700004205 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW iteration_members AS
      SELECT t.id, t.iteration_id, t.status IN ('planned', 'active') AS is_open FROM tasks t
        WHERE t.iteration_id IS NOT NULL
      UNION ALL SELECT d.id, d.iteration_id, d.status IN ('open', 'in_progress') FROM demands d
        WHERE d.iteration_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW iteration_members`);
  }
}
