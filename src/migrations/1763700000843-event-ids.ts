import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Makes event ids unique and indexes events by them. */
export class EventIds1763700000843 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE UNIQUE INDEX events_id_idx ON events (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_id_idx');
  }
}
