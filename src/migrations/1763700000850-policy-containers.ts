import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows endeavours to have policies, and records the kind of container of each policy. */
export class PolicyContainers1763700000850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE dod_policies ADD COLUMN endeavour_id text, ADD COLUMN container text,
        ADD CONSTRAINT dod_policies_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `UPDATE dod_policies p SET container = CASE
         WHEN p.organization_id IS NOT NULL THEN 'organization'
         WHEN x.is_global THEN 'global'
         ELSE 'personal' END
       FROM entities x WHERE x.id = p.id`,
      `ALTER TABLE dod_policies ALTER COLUMN container SET NOT NULL`,
      `ALTER TABLE dod_policies ALTER COLUMN container SET DEFAULT 'global'`,
      `ALTER TABLE dod_policies
        ADD CONSTRAINT dod_policies_container_check CHECK (container IN ('global', 'organization', 'endeavour', 'personal')),
        ADD CONSTRAINT dod_policies_organization_id_check CHECK ((container = 'organization') = (organization_id IS NOT NULL)),
        ADD CONSTRAINT dod_policies_endeavour_id_check CHECK ((container = 'endeavour') = (endeavour_id IS NOT NULL))`,
      `CREATE INDEX dod_policies_endeavour_id_created_at_id_idx ON dod_policies (endeavour_id, created_at, id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dod_policies DROP COLUMN container, DROP COLUMN endeavour_id`);
  }
}
