import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a demand move to another endeavour before its tasks do, within one transaction. */
export class DeferrableDemands1763700004430 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE tasks ALTER CONSTRAINT tasks_demand_id_endeavour_id_fkey DEFERRABLE INITIALLY IMMEDIATE`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tasks ALTER CONSTRAINT tasks_demand_id_endeavour_id_fkey NOT DEFERRABLE`);
  }
}
