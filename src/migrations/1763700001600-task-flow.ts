import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_CLOSED = (row: string): string => `${row}.status IN ('done', 'canceled')`;

/**
 * Stores with each status change what the progress of an endeavour is computed from, and covers it by one index: the
 * previous status, the start of work, and the hours since the task was last closed. A task leaves a status and enters
 * the next at the same time, so that the counts add up at every moment.
 */
export class TaskFlow1763700001600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE task_statuses ADD COLUMN endeavour_id text, ADD COLUMN previous_status text,
         ADD COLUMN started_at timestamptz(3), ADD COLUMN hours double precision`,
      FILL,
      `ALTER TABLE task_statuses ALTER COLUMN endeavour_id SET NOT NULL`,
      `CREATE INDEX task_statuses_flow_idx ON task_statuses (endeavour_id, entered_at)
         INCLUDE (previous_status, status, started_at, hours)`,
      KEEP_STATUS,
      `CREATE FUNCTION take_status_history_along() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE task_statuses SET endeavour_id = NEW.endeavour_id WHERE task_id = NEW.id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER tasks_take_status_history_along AFTER UPDATE OF endeavour_id ON tasks FOR EACH ROW
         WHEN (OLD.endeavour_id <> NEW.endeavour_id) EXECUTE FUNCTION take_status_history_along()`,
      `CREATE FUNCTION correct_closed_hours() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE task_statuses SET hours = coalesce(hours, 0) + coalesce(NEW.actual, 0) - coalesce(OLD.actual, 0)
         WHERE task_id = NEW.id AND left_at IS NULL;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER tasks_correct_closed_hours AFTER UPDATE OF actual ON tasks FOR EACH ROW
         WHEN (OLD.actual IS DISTINCT FROM NEW.actual AND OLD.status = NEW.status AND ${IS_CLOSED('NEW')})
         EXECUTE FUNCTION correct_closed_hours()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER tasks_correct_closed_hours ON tasks`,
      `DROP FUNCTION correct_closed_hours`,
      `DROP TRIGGER tasks_take_status_history_along ON tasks`,
      `DROP FUNCTION take_status_history_along`,
      KEEP_STATUS_BEFORE,
      `ALTER TABLE task_statuses DROP COLUMN endeavour_id, DROP COLUMN previous_status, DROP COLUMN started_at,
         DROP COLUMN hours`,
    ]) {
      await runner.query(statement);
    }
  }
}

/**
 * Fills the new columns for existing status changes; if a task was closed several times, the last closing gets all
 * hours.
 */
const FILL = `UPDATE task_statuses s SET endeavour_id = t.endeavour_id, previous_status = step.previous,
    started_at = CASE WHEN s.status = 'done' AND t.started_at <= s.entered_at THEN t.started_at END,
    hours = CASE WHEN ${IS_CLOSED('s')} THEN CASE WHEN step.is_last THEN coalesce(t.actual, 0) ELSE 0 END END
  FROM tasks t, (SELECT id, lag(status) OVER (PARTITION BY task_id ORDER BY id) AS previous,
      row_number() OVER (PARTITION BY task_id, status IN ('done', 'canceled') ORDER BY id DESC) = 1 AS is_last
    FROM task_statuses) step
  WHERE t.id = s.task_id AND step.id = s.id`;

/** Hours that an earlier closing has counted are not counted again. */
const HOURS = `CASE WHEN ${IS_CLOSED('NEW')} THEN coalesce(NEW.actual, 0)
  - coalesce((SELECT sum(h.hours) FROM task_statuses h WHERE h.task_id = NEW.id), 0) END`;

const KEEP_STATUS = `CREATE OR REPLACE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    moved timestamptz := clock_timestamp();
    began timestamptz;
    ended timestamptz;
    previous text;
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.status = OLD.status THEN RETURN NULL; END IF;
      previous := OLD.status;
      UPDATE task_statuses SET left_at = moved WHERE task_id = NEW.id AND left_at IS NULL;
    ELSIF current_setting('worksmith.importing', true) = 'on' THEN
      began := CASE WHEN NEW.started_at IS NOT NULL THEN greatest(NEW.started_at, NEW.created_at) END;
      ended := CASE WHEN ${IS_CLOSED('NEW')}
        THEN greatest(coalesce(NEW.completed_at, NEW.canceled_at), began, NEW.created_at) END;
      INSERT INTO task_statuses (task_id, endeavour_id, status, entered_at, left_at, imported)
        VALUES (NEW.id, NEW.endeavour_id, 'planned', NEW.created_at, coalesce(began, ended, moved), true);
      previous := 'planned';
      IF began IS NOT NULL THEN
        INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, left_at, imported)
          VALUES (NEW.id, NEW.endeavour_id, previous, 'active', began, coalesce(ended, moved), true);
        previous := 'active';
      END IF;
      IF ended IS NOT NULL THEN
        INSERT INTO task_statuses
            (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours, imported)
          VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, ended, CASE NEW.status WHEN 'done' THEN began END,
            coalesce(NEW.actual, 0), true);
        RETURN NULL;
      END IF;
    END IF;
    INSERT INTO task_statuses (task_id, endeavour_id, previous_status, status, entered_at, started_at, hours)
      VALUES (NEW.id, NEW.endeavour_id, previous, NEW.status, moved, CASE NEW.status WHEN 'done' THEN NEW.started_at END,
        ${HOURS});
    RETURN NULL;
  END $$`;

const KEEP_STATUS_BEFORE = `CREATE OR REPLACE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE ended timestamptz := coalesce(NEW.completed_at, NEW.canceled_at);
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.status = OLD.status THEN RETURN NULL; END IF;
      UPDATE task_statuses SET left_at = clock_timestamp() WHERE task_id = NEW.id AND left_at IS NULL;
    ELSIF current_setting('worksmith.importing', true) = 'on' THEN
      INSERT INTO task_statuses (task_id, status, entered_at, left_at, imported)
        VALUES (NEW.id, 'planned', NEW.created_at, coalesce(NEW.started_at, ended, clock_timestamp()), true);
      IF NEW.started_at IS NOT NULL THEN
        INSERT INTO task_statuses (task_id, status, entered_at, left_at, imported)
          VALUES (NEW.id, 'active', NEW.started_at, coalesce(ended, clock_timestamp()), true);
      END IF;
      IF ended IS NOT NULL THEN
        INSERT INTO task_statuses (task_id, status, entered_at, imported) VALUES (NEW.id, NEW.status, ended, true);
        RETURN NULL;
      END IF;
    END IF;
    INSERT INTO task_statuses (task_id, status) VALUES (NEW.id, NEW.status);
    RETURN NULL;
  END $$`;
