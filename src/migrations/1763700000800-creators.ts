import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes the creator of containers, because tier limits count the containers of a user. */
export class Creators1763700000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX organizations_created_by_status_idx ON organizations (created_by, status)`);
    await runner.query(`CREATE INDEX endeavours_created_by_status_idx ON endeavours (created_by, status)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX organizations_created_by_status_idx, endeavours_created_by_status_idx`);
  }
}
