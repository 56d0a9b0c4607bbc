import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who takes over the open work of people whom the directory of an organization dismisses. */
export class HeirsOfWork1763700004343 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE organizations ADD COLUMN scim_reassign_to text,
         ADD CONSTRAINT organizations_scim_reassign_to_fkey FOREIGN KEY (scim_reassign_to) REFERENCES resources(id)`,
    );
    await runner.query(
      `CREATE INDEX organizations_scim_reassign_to_idx ON organizations (scim_reassign_to)
         WHERE scim_reassign_to IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN scim_reassign_to');
  }
}
