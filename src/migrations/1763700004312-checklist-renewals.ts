import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names the endeavours whose checklists a job gives ids. */
export class ChecklistRenewals1763700004312 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO checklist_renewals (endeavour_id) SELECT id FROM endeavours`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM checklist_renewals`);
  }
}
