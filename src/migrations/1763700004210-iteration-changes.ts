import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The history of the scopes of iterations, and the reports of closed ones. */
export class IterationChanges1763700004210 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE iterations ADD report jsonb`,
      `CREATE TABLE iteration_changes (
        id bigserial NOT NULL,
        iteration_id text NOT NULL,
        task_id text,
        change text NOT NULL,
        estimate double precision,
        points double precision,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT iteration_changes_change_check
          CHECK (change IN ('started', 'committed', 'entered', 'changed', 'left')),
        CONSTRAINT iteration_changes_task_id_check CHECK ((change = 'started') = (task_id IS NULL)),
        CONSTRAINT iteration_changes_pkey PRIMARY KEY (id),
        CONSTRAINT iteration_changes_iteration_id_fkey FOREIGN KEY (iteration_id) REFERENCES iterations(id),
        CONSTRAINT iteration_changes_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id)
      )`,
      `CREATE INDEX iteration_changes_iteration_id_task_id_id_idx ON iteration_changes (iteration_id, task_id, id)`,
      `CREATE INDEX iteration_changes_task_id_idx ON iteration_changes (task_id)`,
      `CREATE FUNCTION keep_iteration_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        stays boolean := TG_OP = 'UPDATE' AND NEW.iteration_id = OLD.iteration_id;
      BEGIN
        IF TG_OP = 'UPDATE' AND OLD.iteration_id IS NOT NULL AND stays IS NOT TRUE THEN
          INSERT INTO iteration_changes (iteration_id, task_id, change, estimate, points)
            VALUES (OLD.iteration_id, NEW.id, 'left', OLD.estimate, OLD.points);
        END IF;
        IF NEW.iteration_id IS NOT NULL THEN
          INSERT INTO iteration_changes (iteration_id, task_id, change, estimate, points)
            VALUES (NEW.iteration_id, NEW.id, CASE WHEN stays THEN 'changed' ELSE 'entered' END, NEW.estimate, NEW.points);
        END IF;
        IF TG_OP = 'INSERT' AND current_setting('worksmith.importing', true) = 'on' THEN
          INSERT INTO iteration_changes (iteration_id, task_id, change, estimate, points)
            SELECT i.id, NEW.id, 'committed', NEW.estimate, NEW.points FROM iterations i
            WHERE i.id = NEW.iteration_id AND i.started_at >= NEW.created_at;
        END IF;
        RETURN NULL;
      END $$`,
      `CREATE FUNCTION keep_iteration_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO iteration_changes (iteration_id, change) VALUES (NEW.id, 'started');
        INSERT INTO iteration_changes (iteration_id, task_id, change, estimate, points)
          SELECT t.iteration_id, t.id, 'committed', t.estimate, t.points FROM tasks t WHERE t.iteration_id = NEW.id;
        RETURN NULL;
      END $$`,
      `CREATE TRIGGER iteration_changes_immutable BEFORE UPDATE OR DELETE ON iteration_changes FOR EACH ROW
      EXECUTE FUNCTION refuse_change()`,
      `CREATE TRIGGER iterations_keep_imported_start AFTER INSERT ON iterations FOR EACH ROW
      WHEN (NEW.status <> 'planned') EXECUTE FUNCTION keep_iteration_start()`,
      `CREATE TRIGGER iterations_keep_start AFTER UPDATE OF status ON iterations FOR EACH ROW
      WHEN (OLD.status = 'planned' AND NEW.status = 'active') EXECUTE FUNCTION keep_iteration_start()`,
      `CREATE TRIGGER tasks_keep_iteration_change AFTER UPDATE ON tasks FOR EACH ROW
      WHEN (OLD.iteration_id IS DISTINCT FROM NEW.iteration_id OR (NEW.iteration_id IS NOT NULL
        AND (OLD.estimate IS DISTINCT FROM NEW.estimate OR OLD.points IS DISTINCT FROM NEW.points)))
      EXECUTE FUNCTION keep_iteration_change()`,
      `CREATE TRIGGER tasks_keep_iteration_entry AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.iteration_id IS NOT NULL) EXECUTE FUNCTION keep_iteration_change()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_keep_iteration_entry ON tasks`);
    await runner.query(`DROP TRIGGER tasks_keep_iteration_change ON tasks`);
    await runner.query(`DROP TRIGGER iterations_keep_start ON iterations`);
    await runner.query(`DROP TRIGGER iterations_keep_imported_start ON iterations`);
    await runner.query(`DROP FUNCTION keep_iteration_start`);
    await runner.query(`DROP FUNCTION keep_iteration_change`);
    await runner.query(`DROP TABLE iteration_changes`);
    await runner.query(`ALTER TABLE iterations DROP COLUMN report`);
  }
}
