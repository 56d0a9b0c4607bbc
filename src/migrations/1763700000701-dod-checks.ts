import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Checks of tasks against the policy of their endeavour, results posted by other systems, and the check by which a task
 * became done.
 */
export class DodChecks1763700000701 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE dod_checks (
        id text NOT NULL,
        task_id text NOT NULL,
        result text NOT NULL,
        overridden boolean NOT NULL,
        policy_id text,
        policy_name text,
        policy_version integer,
        endorsed boolean NOT NULL,
        conditions jsonb NOT NULL,
        hint text,
        rested_on text[] NOT NULL,
        checked_by text NOT NULL,
        checked_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT dod_checks_policy_id_check CHECK ((result = 'no_policy') = (policy_id IS NULL)),
        CONSTRAINT dod_checks_result_check CHECK (result IN ('met', 'not_met', 'no_policy')),
        CONSTRAINT dod_checks_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE dod_results (
        id text NOT NULL,
        task_id text NOT NULL,
        name text NOT NULL,
        passed boolean NOT NULL,
        detail text,
        posted_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT dod_results_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
        CONSTRAINT dod_results_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX dod_checks_task_id_checked_at_id_idx ON dod_checks (task_id, checked_at, id)`,
      `CREATE INDEX dod_results_task_id_name_created_at_id_idx ON dod_results (task_id, name, created_at, id)`,
      `ALTER TABLE dod_checks ADD CONSTRAINT dod_checks_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE dod_checks ADD CONSTRAINT dod_checks_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id)`,
      `ALTER TABLE dod_checks ADD CONSTRAINT dod_checks_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES dod_policies(id)`,
      `ALTER TABLE dod_checks ADD CONSTRAINT dod_checks_checked_by_fkey FOREIGN KEY (checked_by) REFERENCES resources(id)`,
      `ALTER TABLE dod_results ADD CONSTRAINT dod_results_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE dod_results ADD CONSTRAINT dod_results_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id)`,
      `ALTER TABLE dod_results ADD CONSTRAINT dod_results_posted_by_fkey FOREIGN KEY (posted_by) REFERENCES resources(id)`,
      `ALTER TABLE tasks ADD COLUMN dod_check_id text,
        ADD CONSTRAINT tasks_dod_check_id_check CHECK (dod_check_id IS NULL OR status = 'done'),
        ADD CONSTRAINT tasks_dod_check_id_fkey FOREIGN KEY (dod_check_id) REFERENCES dod_checks(id)`,
      `CREATE FUNCTION keep_dod_record() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         RAISE EXCEPTION '% are kept as they were', TG_TABLE_NAME;
       END $$`,
      `CREATE TRIGGER dod_checks_keep BEFORE UPDATE OR DELETE ON dod_checks FOR EACH ROW EXECUTE FUNCTION keep_dod_record()`,
      `CREATE TRIGGER dod_results_keep BEFORE UPDATE OR DELETE ON dod_results FOR EACH ROW EXECUTE FUNCTION keep_dod_record()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE tasks DROP COLUMN dod_check_id`,
      `DROP TABLE dod_results, dod_checks CASCADE`,
      `DROP FUNCTION keep_dod_record`,
    ]) {
      await runner.query(statement);
    }
  }
}
