import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Items of checklists that are written from now on have ids, also those of replicas of the previous release. */
export class ChecklistIds1763700004311 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TRIGGER tasks_give_checklist_ids BEFORE INSERT OR UPDATE ON tasks FOR EACH ROW
      WHEN (jsonb_typeof(NEW.metadata->'checklist') = 'array') EXECUTE FUNCTION give_checklist_ids()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_give_checklist_ids ON tasks`);
  }
}
