import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEEP_STATUS = (imported: string): string => `CREATE OR REPLACE FUNCTION keep_task_status() RETURNS trigger
  LANGUAGE plpgsql AS $$
   ${imported === '' ? '' : 'DECLARE ended timestamptz := coalesce(NEW.completed_at, NEW.canceled_at);'}
   BEGIN
     IF TG_OP = 'UPDATE' THEN
       IF NEW.status = OLD.status THEN RETURN NULL; END IF;
       UPDATE task_statuses SET left_at = clock_timestamp() WHERE task_id = NEW.id AND left_at IS NULL;
     ${imported}
     END IF;
     INSERT INTO task_statuses (task_id, status) VALUES (NEW.id, NEW.status);
     RETURN NULL;
   END $$`;

/**
 * The status history of an imported task: the times in the import, marked as imported, because this service did not
 * record them. An open task enters its status again at the import, so that the time from then on is recorded.
 */
const IMPORTED = `ELSIF current_setting('worksmith.importing', true) = 'on' THEN
       INSERT INTO task_statuses (task_id, status, entered_at, left_at, imported)
         VALUES (NEW.id, 'planned', NEW.created_at, coalesce(NEW.started_at, ended, clock_timestamp()), true);
       IF NEW.started_at IS NOT NULL THEN
         INSERT INTO task_statuses (task_id, status, entered_at, left_at, imported)
           VALUES (NEW.id, 'active', NEW.started_at, coalesce(ended, clock_timestamp()), true);
       END IF;
       IF ended IS NOT NULL THEN
         INSERT INTO task_statuses (task_id, status, entered_at, imported) VALUES (NEW.id, NEW.status, ended, true);
         RETURN NULL;
       END IF;`;

/** Imports, their lines that are not imported yet, and the lines that were rejected. */
export class Imports1763700001310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE task_statuses ADD COLUMN imported boolean NOT NULL DEFAULT false`,
      KEEP_STATUS(IMPORTED),
      `CREATE TABLE imports (
         id text NOT NULL,
         operation_id text NOT NULL,
         endeavour_id text NOT NULL,
         slot text NOT NULL,
         format text NOT NULL,
         is_dry_run boolean NOT NULL,
         options jsonb NOT NULL DEFAULT '{}',
         lines integer NOT NULL,
         phase integer NOT NULL DEFAULT 0,
         "position" integer NOT NULL DEFAULT 0,
         counts jsonb NOT NULL DEFAULT '{}',
         created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
         CONSTRAINT imports_pkey PRIMARY KEY (id),
         CONSTRAINT imports_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES operations(id) ON DELETE CASCADE
       )`,
      `CREATE INDEX imports_operation_id_idx ON imports (operation_id)`,
      `CREATE INDEX imports_slot_idx ON imports (slot)`,
      `CREATE TABLE import_lines (
         import_id text NOT NULL,
         number integer NOT NULL,
         line integer NOT NULL,
         section text NOT NULL,
         key text,
         data jsonb NOT NULL,
         CONSTRAINT import_lines_pkey PRIMARY KEY (import_id, number)
       )`,
      `CREATE INDEX import_lines_import_id_section_key_idx ON import_lines (import_id, section, key)`,
      `CREATE TABLE import_refusals (
         id bigserial NOT NULL,
         import_id text NOT NULL,
         line integer NOT NULL,
         external_id text,
         code text NOT NULL,
         reason text,
         message text NOT NULL,
         CONSTRAINT import_refusals_pkey PRIMARY KEY (id),
         CONSTRAINT import_refusals_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
       )`,
      `CREATE INDEX import_refusals_import_id_id_idx ON import_refusals (import_id, id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE import_refusals, import_lines, imports`,
      KEEP_STATUS(''),
      `ALTER TABLE task_statuses DROP COLUMN imported`,
    ]) {
      await runner.query(statement);
    }
  }
}
