import type { MigrationInterface, QueryRunner } from 'typeorm';

const OPEN = `('planned', 'active')`;

/**
 * SQL: whether the task is in that endeavour. Prevents the use of an index, because tasks are looked up from their
 * relations; a plan that starts from the endeavour would read all of its tasks.
 */
const isIn = (endeavour: string): string => `(t.endeavour_id = ${endeavour}) IS TRUE`;

const IS_DEPENDENT = `t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = NEW.id))`;

const shift = (endeavour: string, by: string): string =>
  `UPDATE tasks t SET blocked_by_count = t.blocked_by_count ${by} WHERE ${isIn(endeavour)} AND ${IS_DEPENDENT}`;

/**
 * An update that waits for a row keeps the dependents that it found before it waited. The removal of a dependency locks
 * the dependent task, so a separate statement locks these tasks first.
 */
const LOCK = `PERFORM 1 FROM tasks t
  WHERE (${isIn('OLD.endeavour_id')} OR ${isIn('NEW.endeavour_id')}) AND ${IS_DEPENDENT} ORDER BY t.id FOR NO KEY UPDATE;`;

const countForDependents = (lock: string): string => `
  CREATE OR REPLACE FUNCTION count_for_dependents() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${lock}
    IF OLD.status IN ${OPEN} THEN ${shift('OLD.endeavour_id', '- 1')}; END IF;
    IF NEW.status IN ${OPEN} THEN ${shift('NEW.endeavour_id', '+ 1')}; END IF;
    RETURN NULL;
  END $$`;

/** Prevents a miscount when a task is closed while another transaction removes a dependency on it. */
export class LockedDependents1763700002300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(countForDependents(LOCK));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(countForDependents(''));
  }
}
