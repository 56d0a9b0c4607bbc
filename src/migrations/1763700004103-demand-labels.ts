import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels of demands. */
export class DemandLabels1763700004103 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE demands ADD labels text array, ADD CONSTRAINT demands_labels_check CHECK (cardinality(labels) BETWEEN 1 AND 50) NOT VALID`,
    );
    await runner.query(`CREATE TRIGGER demands_forget_labels AFTER DELETE ON demands FOR EACH ROW
      WHEN (OLD.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER demands_keep_labels AFTER UPDATE OF labels, endeavour_id ON demands FOR EACH ROW
      WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER demands_keep_new_labels AFTER INSERT ON demands FOR EACH ROW
      WHEN (NEW.labels IS NOT NULL) EXECUTE FUNCTION keep_labeled_work()`);
    await runner.query(`CREATE TRIGGER demands_take_labels_along BEFORE UPDATE OF endeavour_id ON demands FOR EACH ROW
      WHEN (OLD.endeavour_id <> NEW.endeavour_id AND NEW.labels IS NOT NULL) EXECUTE FUNCTION take_labels_along()`);
    await runner.query(`CREATE OR REPLACE TRIGGER demands_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref, labels ON demands
      FOR EACH ROW EXECUTE FUNCTION keep_words()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE TRIGGER demands_keep_words BEFORE INSERT OR UPDATE OF title, description, external_ref ON demands
      FOR EACH ROW EXECUTE FUNCTION keep_words()`);
    await runner.query(`DROP TRIGGER demands_take_labels_along ON demands`);
    await runner.query(`DROP TRIGGER demands_keep_new_labels ON demands`);
    await runner.query(`DROP TRIGGER demands_keep_labels ON demands`);
    await runner.query(`DROP TRIGGER demands_forget_labels ON demands`);
    await runner.query(`ALTER TABLE demands DROP COLUMN labels`);
  }
}
