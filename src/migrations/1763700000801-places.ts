import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes personal and global entities. */
export class Places1763700000801 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX entities_owner_user_id_kind_idx ON entities (owner_user_id, kind) WHERE owner_user_id IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX entities_global_kind_idx ON entities (kind) WHERE is_global`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX entities_owner_user_id_kind_idx, entities_global_kind_idx`);
  }
}
