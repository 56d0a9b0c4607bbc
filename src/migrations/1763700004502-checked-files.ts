import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirms the files of artifacts, without blocking writes, and finds those that wait for an upload. */
export class CheckedFiles1763700004502 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE artifacts VALIDATE CONSTRAINT artifacts_file_check`);
    // What an interrupted run left is not valid.
    await runner.query(`DROP INDEX IF EXISTS artifacts_waiting_file_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY artifacts_waiting_file_idx ON artifacts ((file->>'begun_at'))
      WHERE file->>'state' = 'waiting'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX artifacts_waiting_file_idx`);
  }
}
