import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_CLOSED = (row: string): string => `${row}.status IN ('done', 'canceled')`;

/** Hours that an earlier closing has counted are not counted again. */
const HOURS = `CASE WHEN ${IS_CLOSED('NEW')} THEN coalesce(NEW.actual, 0)
  - coalesce((SELECT sum(h.hours) FROM task_statuses h WHERE h.task_id = NEW.id), 0) END`;

const keepStatus = (
  mark: string,
): string => `CREATE OR REPLACE FUNCTION keep_task_status() RETURNS trigger LANGUAGE plpgsql AS $$
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
      ${mark}
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

const MARK = `IF ${IS_CLOSED('NEW')} THEN
        UPDATE task_statuses s SET closed_again_at = moved
        WHERE s.task_id = NEW.id AND ${IS_CLOSED('s')} AND s.closed_again_at IS NULL;
      END IF;`;

/**
 * Stores with each closing of a task when the task was closed again, so that progress counts a task once in a period. The
 * index has only these closings, which are few; the index that covers all status changes stays as it is.
 */
export class ClosedAgain1763700002720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE task_statuses ADD COLUMN closed_again_at timestamptz(3)`,
      `CREATE INDEX task_statuses_closed_again_idx ON task_statuses (endeavour_id, entered_at)
         WHERE closed_again_at IS NOT NULL`,
      keepStatus(MARK),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keepStatus(''));
    await runner.query('ALTER TABLE task_statuses DROP COLUMN closed_again_at');
  }
}
