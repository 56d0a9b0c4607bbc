import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports of exported documents, also into an organization, and the entity that each record became. */
export class DocumentImports1763700001720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE imports ALTER COLUMN endeavour_id DROP NOT NULL`,
      `ALTER TABLE imports ADD COLUMN organization_id text`,
      `ALTER TABLE imports ADD CONSTRAINT imports_organization_id_fkey
         FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE`,
      `ALTER TABLE imports ADD CONSTRAINT imports_organization_id_check CHECK (num_nonnulls(endeavour_id, organization_id) = 1)`,
      `CREATE INDEX imports_organization_id_idx ON imports (organization_id) WHERE organization_id IS NOT NULL`,
      `CREATE TABLE imported_entities (
         container_id text NOT NULL,
         external_id text NOT NULL,
         entity_id text NOT NULL,
         CONSTRAINT imported_entities_pkey PRIMARY KEY (container_id, external_id),
         CONSTRAINT imported_entities_container_id_fkey FOREIGN KEY (container_id) REFERENCES entities(id),
         CONSTRAINT imported_entities_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)
       )`,
      `CREATE INDEX imported_entities_entity_id_idx ON imported_entities (entity_id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE imported_entities`,
      `DELETE FROM imports WHERE endeavour_id IS NULL`,
      `ALTER TABLE imports DROP COLUMN organization_id`,
      `ALTER TABLE imports ALTER COLUMN endeavour_id SET NOT NULL`,
    ]) {
      await runner.query(statement);
    }
  }
}
