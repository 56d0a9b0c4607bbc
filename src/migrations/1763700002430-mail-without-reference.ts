import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing looks for a mail by a key of its feature; the mails of an invitation hold its id in their data. */
export class MailWithoutReference1763700002430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX outbox_reference_idx`);
    await runner.query(`ALTER TABLE outbox DROP COLUMN reference`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE outbox ADD reference text`);
    await runner.query(`CREATE INDEX outbox_reference_idx ON outbox USING btree (reference)`);
  }
}
