import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names the columns at which triggers of tasks look. PostgreSQL reads the condition of a trigger for each statement that
 * may run it, so that a change of a status need not pay for those of other columns.
 */
export class TriggersWithColumns1763700004527 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_keep_content_changes BEFORE UPDATE OF title, description ON tasks FOR EACH ROW
      WHEN ((OLD.title, OLD.description) IS DISTINCT FROM (NEW.title, NEW.description))
        EXECUTE FUNCTION keep_content_changes()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_give_checklist_ids BEFORE INSERT OR UPDATE OF metadata, endeavour_id ON tasks FOR EACH ROW
      WHEN (jsonb_typeof(NEW.metadata->'checklist') = 'array') EXECUTE FUNCTION give_checklist_ids()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_derive_dates BEFORE UPDATE OF due_day, due_date, endeavour_id ON tasks FOR EACH ROW
      WHEN (NEW.due_day IS NOT NULL AND (NEW.due_day IS DISTINCT FROM OLD.due_day OR NEW.due_date IS DISTINCT
        FROM OLD.due_date OR NEW.endeavour_id IS DISTINCT FROM OLD.endeavour_id))
      EXECUTE FUNCTION derive_due_date()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_keep_iteration_change AFTER UPDATE OF iteration_id, endeavour_id, estimate, points ON tasks
      FOR EACH ROW
      WHEN (OLD.iteration_id IS DISTINCT FROM NEW.iteration_id OR (NEW.iteration_id IS NOT NULL
        AND (OLD.estimate IS DISTINCT FROM NEW.estimate OR OLD.points IS DISTINCT FROM NEW.points)))
      EXECUTE FUNCTION keep_iteration_change()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_lapse_votes_on_content AFTER UPDATE OF title, description, metadata, endeavour_id, content_changes
      ON tasks FOR EACH ROW
      WHEN (OLD.content_changes IS DISTINCT FROM NEW.content_changes) EXECUTE FUNCTION lapse_votes_on_content()`);
    await runner.query(`CREATE OR REPLACE TRIGGER tasks_keep_metadata_changes BEFORE UPDATE OF metadata, endeavour_id ON tasks FOR EACH ROW
      WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION keep_metadata_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_keep_metadata_changes BEFORE UPDATE ON tasks FOR EACH ROW WHEN ((old.metadata IS DISTINCT FROM new.metadata)) EXECUTE FUNCTION keep_metadata_changes()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_lapse_votes_on_content AFTER UPDATE ON tasks FOR EACH ROW WHEN ((old.content_changes IS DISTINCT FROM new.content_changes)) EXECUTE FUNCTION lapse_votes_on_content()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_keep_iteration_change AFTER UPDATE ON tasks FOR EACH ROW WHEN (((old.iteration_id IS DISTINCT FROM new.iteration_id) OR ((new.iteration_id IS NOT NULL) AND ((old.estimate IS DISTINCT FROM new.estimate) OR (old.points IS DISTINCT FROM new.points))))) EXECUTE FUNCTION keep_iteration_change()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_derive_dates BEFORE UPDATE ON tasks FOR EACH ROW WHEN (((new.due_day IS NOT NULL) AND ((new.due_day IS DISTINCT FROM old.due_day) OR (new.due_date IS DISTINCT FROM old.due_date) OR (new.endeavour_id IS DISTINCT FROM old.endeavour_id)))) EXECUTE FUNCTION derive_due_date()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_give_checklist_ids BEFORE INSERT OR UPDATE ON tasks FOR EACH ROW WHEN ((jsonb_typeof((new.metadata -> 'checklist'::text)) = 'array'::text)) EXECUTE FUNCTION give_checklist_ids()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER tasks_keep_content_changes BEFORE UPDATE ON tasks FOR EACH ROW WHEN (((old.title IS DISTINCT FROM new.title) OR (old.description IS DISTINCT FROM new.description))) EXECUTE FUNCTION keep_content_changes()`,
    );
  }
}
