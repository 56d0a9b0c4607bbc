import type { DatabaseObjects } from '../../platform/database/schema/database-objects.js';

/** What keeps tasks and demands in iterations of their endeavour. */
export const ITERATION_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * Work that leaves the endeavour leaves its iteration, also if a replica of a release without iterations moves it. A
     * closed or deleted iteration takes no work, except from an import, which tells what was.
     */
    `CREATE FUNCTION keep_iteration() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        state text;
        is_gone boolean;
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.endeavour_id <> OLD.endeavour_id AND NEW.iteration_id = OLD.iteration_id THEN
            NEW.iteration_id := NULL;
          END IF;
          IF NEW.iteration_id IS NOT DISTINCT FROM OLD.iteration_id THEN RETURN NEW; END IF;
        END IF;
        IF NEW.iteration_id IS NULL THEN RETURN NEW; END IF;
        SELECT i.status, i.deleted_at IS NOT NULL INTO state, is_gone
          FROM iterations i WHERE i.id = NEW.iteration_id FOR KEY SHARE;
        IF is_gone OR (state = 'closed' AND current_setting('worksmith.importing', true) IS DISTINCT FROM 'on') THEN
          RAISE EXCEPTION 'the iteration takes no work' USING ERRCODE = 'check_violation',
            CONSTRAINT = TG_TABLE_NAME || '_iteration_id_check';
        END IF;
        RETURN NEW;
      END $$`,
    /** Records what enters and leaves an iteration, and how large it is meanwhile. An import tells what was before. */
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
    /** The start of an iteration commits the tasks in it. */
    `CREATE FUNCTION keep_iteration_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO iteration_changes (iteration_id, change) VALUES (NEW.id, 'started');
        INSERT INTO iteration_changes (iteration_id, task_id, change, estimate, points)
          SELECT t.iteration_id, t.id, 'committed', t.estimate, t.points FROM tasks t WHERE t.iteration_id = NEW.id;
        RETURN NULL;
      END $$`,
  ],
  views: [
    /** The work in iterations, also in those that are closed. */
    `CREATE VIEW iteration_members AS
      SELECT t.id, t.iteration_id, t.status IN ('planned', 'active') AS is_open FROM tasks t
        WHERE t.iteration_id IS NOT NULL
      UNION ALL SELECT d.id, d.iteration_id, d.status IN ('open', 'in_progress') FROM demands d
        WHERE d.iteration_id IS NOT NULL`,
  ],
  triggers: [
    `CREATE TRIGGER iteration_changes_immutable BEFORE UPDATE OR DELETE ON iteration_changes FOR EACH ROW
      EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER iterations_keep_imported_start AFTER INSERT ON iterations FOR EACH ROW
      WHEN (NEW.status <> 'planned') EXECUTE FUNCTION keep_iteration_start()`,
    `CREATE TRIGGER iterations_keep_start AFTER UPDATE OF status ON iterations FOR EACH ROW
      WHEN (OLD.status = 'planned' AND NEW.status = 'active') EXECUTE FUNCTION keep_iteration_start()`,
    `CREATE TRIGGER tasks_keep_iteration_change AFTER UPDATE OF iteration_id, endeavour_id, estimate, points ON tasks
      FOR EACH ROW
      WHEN (OLD.iteration_id IS DISTINCT FROM NEW.iteration_id OR (NEW.iteration_id IS NOT NULL
        AND (OLD.estimate IS DISTINCT FROM NEW.estimate OR OLD.points IS DISTINCT FROM NEW.points)))
      EXECUTE FUNCTION keep_iteration_change()`,
    `CREATE TRIGGER tasks_keep_iteration_entry AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.iteration_id IS NOT NULL) EXECUTE FUNCTION keep_iteration_change()`,
    ...['tasks', 'demands'].flatMap((table) => [
      `CREATE TRIGGER ${table}_enter_iteration BEFORE INSERT ON ${table} FOR EACH ROW
      WHEN (NEW.iteration_id IS NOT NULL) EXECUTE FUNCTION keep_iteration()`,
      `CREATE TRIGGER ${table}_keep_iteration BEFORE UPDATE OF iteration_id, endeavour_id ON ${table} FOR EACH ROW
      WHEN (NEW.iteration_id IS DISTINCT FROM OLD.iteration_id OR NEW.endeavour_id <> OLD.endeavour_id)
      EXECUTE FUNCTION keep_iteration()`,
    ]),
  ],
};
