import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When tasks enter and leave stages. */
export class StageHistory1763700004354 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE task_stages (
        id bigserial NOT NULL,
        task_id text NOT NULL,
        endeavour_id text NOT NULL,
        stage text NOT NULL,
        entered_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        left_at timestamptz(3),
        CONSTRAINT task_stages_pkey PRIMARY KEY (id),
        CONSTRAINT task_stages_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id)
      )`);
    await runner.query(`CREATE INDEX task_stages_task_id_idx ON task_stages (task_id)`);
    await runner.query(`CREATE INDEX task_stages_endeavour_id_left_at_idx ON task_stages (endeavour_id, left_at)`);
    await runner.query(`CREATE FUNCTION keep_task_stage() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        moved timestamptz := clock_timestamp();
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          UPDATE task_stages SET left_at = moved WHERE task_id = NEW.id AND left_at IS NULL;
        END IF;
        IF NEW.stage IS NOT NULL AND NEW.status <> 'canceled' THEN
          INSERT INTO task_stages (task_id, endeavour_id, stage, entered_at)
            VALUES (NEW.id, NEW.endeavour_id, NEW.stage, moved);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER tasks_record_first_stage AFTER INSERT ON tasks FOR EACH ROW
      WHEN (NEW.stage IS NOT NULL) EXECUTE FUNCTION keep_task_stage()`);
    await runner.query(`CREATE TRIGGER tasks_record_stage AFTER UPDATE ON tasks FOR EACH ROW
      WHEN (OLD.stage IS DISTINCT FROM NEW.stage OR (NEW.stage IS NOT NULL AND OLD.status <> NEW.status))
      EXECUTE FUNCTION keep_task_stage()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER tasks_record_stage ON tasks`);
    await runner.query(`DROP TRIGGER tasks_record_first_stage ON tasks`);
    await runner.query(`DROP FUNCTION keep_task_stage()`);
    await runner.query(`DROP TABLE task_stages`);
  }
}
