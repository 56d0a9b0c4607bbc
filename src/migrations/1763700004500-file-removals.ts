import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The objects that the store of files is to remove. */
export class FileRemovals1763700004500 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE file_removals (
      key text NOT NULL,
      since timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      due_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      again_at timestamptz(3) NOT NULL,
      failures integer NOT NULL DEFAULT 0,
      last_error text,
      CONSTRAINT file_removals_failures_check CHECK ((failures > 0) = (last_error IS NOT NULL) AND failures >= 0),
      CONSTRAINT file_removals_pkey PRIMARY KEY (key)
    )`);
    await runner.query(`CREATE INDEX file_removals_due_at_idx ON file_removals (due_at)`);
    await runner.query(`CREATE FUNCTION remove_former_file() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.deleted_at IS NOT NULL THEN NEW.file := NULL; END IF;
          IF NEW.file->>'key' = OLD.file->>'key' THEN RETURN NEW; END IF;
        END IF;
        INSERT INTO file_removals (key, again_at)
        VALUES (OLD.file->>'key', (OLD.file->>'begun_at')::timestamptz + interval '2 days') ON CONFLICT (key) DO NOTHING;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION remove_former_file`);
    await runner.query(`DROP TABLE file_removals`);
  }
}
