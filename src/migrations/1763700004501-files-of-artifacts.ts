import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of artifacts, whose objects are removed after them, and which approvals cover. */
export class FilesOfArtifacts1763700004501 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE artifacts ADD file jsonb, ADD CONSTRAINT artifacts_file_check CHECK (
      file IS NULL OR coalesce(kind = 'file' AND deleted_at IS NULL AND file->>'state' IN ('waiting', 'stored')
        AND (file->>'length')::bigint BETWEEN 0 AND 5368709120 AND file->>'sha256' ~ '^[0-9a-f]{64}$'
        AND file->>'key' ~ '^[0-9a-f]{48}$'
        AND file->>'begun_at' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z$', false)) NOT VALID`);
    await runner.query(`CREATE TRIGGER artifacts_remove_former_file BEFORE DELETE OR UPDATE OF file, deleted_at ON artifacts
      FOR EACH ROW WHEN (OLD.file IS NOT NULL) EXECUTE FUNCTION remove_former_file()`);
    await runner.query(`DROP TRIGGER artifacts_keep_content_changes ON artifacts`);
    await runner.query(`CREATE TRIGGER artifacts_keep_content_changes BEFORE UPDATE ON artifacts FOR EACH ROW
      WHEN ((OLD.kind, OLD.title, OLD.url, OLD.summary, OLD.file->>'sha256') IS DISTINCT FROM (NEW.kind, NEW.title,
        NEW.url, NEW.summary, NEW.file->>'sha256')) EXECUTE FUNCTION keep_content_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER artifacts_keep_content_changes ON artifacts`);
    await runner.query(`CREATE TRIGGER artifacts_keep_content_changes BEFORE UPDATE ON artifacts FOR EACH ROW
      WHEN ((OLD.kind, OLD.title, OLD.url, OLD.summary) IS DISTINCT FROM (NEW.kind, NEW.title, NEW.url,
        NEW.summary)) EXECUTE FUNCTION keep_content_changes()`);
    await runner.query(`DROP TRIGGER artifacts_remove_former_file ON artifacts`);
    await runner.query(`ALTER TABLE artifacts DROP COLUMN file`);
  }
}
