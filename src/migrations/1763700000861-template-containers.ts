import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records the kind of container of each template: global, organization or personal. */
export class TemplateContainers1763700000861 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE templates ADD COLUMN container text`,
      `UPDATE templates p SET container = CASE
         WHEN p.organization_id IS NOT NULL THEN 'organization'
         WHEN x.is_global THEN 'global'
         ELSE 'personal' END
       FROM entities x WHERE x.id = p.id`,
      `ALTER TABLE templates ALTER COLUMN container SET NOT NULL, ALTER COLUMN container SET DEFAULT 'global',
        ADD CONSTRAINT templates_container_check CHECK (container IN ('global', 'organization', 'personal')),
        ADD CONSTRAINT templates_organization_id_check CHECK ((container = 'organization') = (organization_id IS NOT NULL))`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE templates DROP COLUMN container`);
  }
}
