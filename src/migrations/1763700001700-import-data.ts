import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The requests whose events an import wrote, for readers that treat these events differently. */
const IMPORT_REQUESTS = `CREATE VIEW import_requests AS
  SELECT i.endeavour_id, coalesce(op.request_id, op.id) AS request_id, op.created_by AS actor_id, op.created_at, op.finished_at
  FROM imports i JOIN operations op ON op.id = i.operation_id`;

/** Deletes the data of an import with the import, and the import with its endeavour. */
export class ImportData1763700001700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DELETE FROM imports i WHERE NOT EXISTS (SELECT 1 FROM endeavours e WHERE e.id = i.endeavour_id)`,
      `DELETE FROM import_lines l WHERE NOT EXISTS (SELECT 1 FROM imports i WHERE i.id = l.import_id)`,
      `ALTER TABLE imports ADD CONSTRAINT imports_endeavour_id_fkey
         FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE`,
      `CREATE INDEX imports_endeavour_id_idx ON imports (endeavour_id)`,
      `ALTER TABLE import_lines ADD CONSTRAINT import_lines_import_id_fkey
         FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED`,
      IMPORT_REQUESTS,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP VIEW import_requests`,
      `ALTER TABLE import_lines DROP CONSTRAINT import_lines_import_id_fkey`,
      `DROP INDEX imports_endeavour_id_idx`,
      `ALTER TABLE imports DROP CONSTRAINT imports_endeavour_id_fkey`,
    ]) {
      await runner.query(statement);
    }
  }
}
