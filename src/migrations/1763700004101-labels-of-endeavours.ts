import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels belong to endeavours. */
export class LabelsOfEndeavours1763700004101 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE labels ADD CONSTRAINT labels_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE labels DROP CONSTRAINT labels_endeavour_id_fkey`);
  }
}
