import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The backups that were restored and compared, for the doctor. */
export class RestoreDrills1763700003250 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE restore_drills (
      id bigserial PRIMARY KEY,
      verified_at timestamptz(3) NOT NULL DEFAULT now(),
      backup_begun_at timestamptz(3) NOT NULL,
      rows bigint NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE restore_drills');
  }
}
