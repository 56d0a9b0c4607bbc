import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['organizations', 'endeavours', 'demands', 'resources'];

/** Adds the key column whose update locks a row exclusively (docs/decisions/0011). */
export class Holds1763700000802 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN holds integer NOT NULL DEFAULT 0`);
      await runner.query(`CREATE UNIQUE INDEX ${table}_id_holds_idx ON ${table} (id, holds)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN holds`);
  }
}
