import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Templates of texts with placeholders, and their versions. */
export class Templates1763700000601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE templates (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        version integer NOT NULL DEFAULT 1,
        predecessor_id text,
        lineage_id text NOT NULL,
        origin text NOT NULL DEFAULT 'custom',
        name text NOT NULL,
        description text,
        scope text NOT NULL,
        type text NOT NULL DEFAULT 'report',
        lang text NOT NULL DEFAULT 'en',
        body text NOT NULL,
        organization_id text,
        status text NOT NULL DEFAULT 'active',
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text,
        CONSTRAINT templates_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT templates_body_check CHECK (char_length(body) BETWEEN 1 AND 100000),
        CONSTRAINT templates_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT templates_version_check CHECK (version > 0),
        CONSTRAINT templates_created_by_check CHECK ((origin = 'template') = (created_by IS NULL)),
        CONSTRAINT templates_origin_check CHECK (origin IN ('template', 'custom', 'fork')),
        CONSTRAINT templates_scope_check CHECK (scope IN ('task', 'demand', 'endeavour', 'organization', 'ritual')),
        CONSTRAINT templates_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT templates_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX templates_organization_id_created_at_id_idx ON templates (organization_id, created_at, id)`,
      `CREATE INDEX templates_scope_lang_created_at_idx ON templates (scope, lang, created_at)`,
      `CREATE INDEX templates_predecessor_id_idx ON templates (predecessor_id)`,
      `CREATE INDEX templates_created_at_id_idx ON templates (created_at, id)`,
      `CREATE INDEX templates_name_trigram_idx ON templates USING gin (name gin_trgm_ops)`,
      `CREATE INDEX templates_body_trigram_idx ON templates USING gin (body gin_trgm_ops)`,
      `ALTER TABLE templates ADD CONSTRAINT templates_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE templates ADD CONSTRAINT templates_predecessor_id_fkey FOREIGN KEY (predecessor_id) REFERENCES templates(id)`,
      `ALTER TABLE templates ADD CONSTRAINT templates_lineage_id_fkey FOREIGN KEY (lineage_id) REFERENCES templates(id)`,
      `ALTER TABLE templates ADD CONSTRAINT templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE templates ADD CONSTRAINT templates_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE templates CASCADE');
  }
}
