import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels of tasks. */
export class TaskLabels1763700004102 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE tasks ADD labels text array, ADD CONSTRAINT tasks_labels_check CHECK (cardinality(labels) BETWEEN 1 AND 50) NOT VALID`,
    );
    await runner.query(`CREATE TRIGGER tasks_forget_labels AFTER DELETE ON tasks FOR EACH ROW
      WHEN (OLD.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER tasks_keep_labels AFTER UPDATE OF labels, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER tasks_keep_new_labels AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER tasks_take_labels_along BEFORE UPDATE OF endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id AND NEW.labels IS NOT NULL) EXECUTE FUNCTION take_labels_along()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref, labels ON tasks
      FOR EACH ROW EXECUTE FUNCTION keep_words()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref ON tasks
      FOR EACH ROW EXECUTE FUNCTION keep_words()`);
    await runner.query(`DROP TRIGGER tasks_take_labels_along ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_new_labels ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_labels ON tasks`);
    await runner.query(`DROP TRIGGER tasks_forget_labels ON tasks`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN labels`);
  }
}
