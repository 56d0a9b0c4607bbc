import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Points, priorities and ranks of tasks. */
export class TaskPriorities1763700003811 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ADD points double precision, ADD priority text, ADD effective_priority text NOT NULL DEFAULT 'medium', ADD rank text,
     ADD CONSTRAINT tasks_points_check CHECK (points BETWEEN 0 AND 1000000000) NOT VALID,
     ADD CONSTRAINT tasks_priority_check CHECK (priority IN ('low', 'medium', 'high', 'urgent')) NOT VALID,
     ADD CONSTRAINT tasks_effective_priority_check CHECK (effective_priority IN ('low', 'medium', 'high', 'urgent')) NOT VALID`);
    await runner.query(`CREATE TRIGGER tasks_keep_new_priority BEFORE INSERT ON tasks FOR EACH ROW
      WHEN (NEW.priority IS NOT NULL OR NEW.demand_id IS NOT NULL) EXECUTE FUNCTION keep_effective_priority()`);
    await runner.query(`CREATE TRIGGER tasks_keep_priority BEFORE UPDATE OF priority, demand_id ON tasks FOR EACH ROW
      WHEN (NEW.priority IS DISTINCT FROM OLD.priority OR NEW.demand_id IS DISTINCT FROM OLD.demand_id)
      EXECUTE FUNCTION keep_effective_priority()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_priority ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_new_priority ON tasks`);
    await runner.query(
      `ALTER TABLE tasks DROP COLUMN rank, DROP COLUMN effective_priority, DROP COLUMN priority, DROP COLUMN points`,
    );
  }
}
