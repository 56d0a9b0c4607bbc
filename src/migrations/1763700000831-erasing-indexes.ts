import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes references to rows that are erased; without them, erasing a row scans the whole referencing table. */
export class ErasingIndexes1763700000831 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE INDEX messages_scope_id_idx ON messages (scope_id) WHERE scope_id IS NOT NULL`,
      `CREATE INDEX tasks_dod_check_id_idx ON tasks (dod_check_id) WHERE dod_check_id IS NOT NULL`,
      `CREATE INDEX dod_checks_policy_id_idx ON dod_checks (policy_id) WHERE policy_id IS NOT NULL`,
      `CREATE INDEX rituals_lineage_id_idx ON rituals (lineage_id)`,
      `CREATE INDEX templates_lineage_id_idx ON templates (lineage_id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP INDEX messages_scope_id_idx, tasks_dod_check_id_idx, dod_checks_policy_id_idx, rituals_lineage_id_idx,
         templates_lineage_id_idx`,
    );
  }
}
