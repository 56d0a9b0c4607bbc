import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Views: saved queries of lists. */
export class Views1763700004320 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE views (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        name text NOT NULL,
        kind text NOT NULL,
        query jsonb NOT NULL,
        columns text[] NOT NULL DEFAULT '{}',
        group_by text,
        endeavour_id text,
        organization_id text,
        container_id text NOT NULL,
        is_default boolean NOT NULL DEFAULT false,
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT views_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT views_kind_check CHECK (kind IN ('task', 'demand')),
        CONSTRAINT views_query_check CHECK (jsonb_typeof(query) = 'object'),
        CONSTRAINT views_container_id_check CHECK (container_id = coalesce(endeavour_id, organization_id, created_by)),
        CONSTRAINT views_organization_id_check CHECK (endeavour_id IS NULL OR organization_id IS NULL),
        CONSTRAINT views_pkey PRIMARY KEY (id),
        CONSTRAINT views_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT views_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
        CONSTRAINT views_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)
      )`,
      `CREATE INDEX views_endeavour_id_created_at_id_idx ON views (endeavour_id, created_at, id)`,
      `CREATE INDEX views_organization_id_created_at_id_idx ON views (organization_id, created_at, id)`,
      `CREATE INDEX views_container_id_kind_idx ON views (container_id, kind)`,
      `CREATE INDEX views_created_at_id_idx ON views (created_at, id)`,
      `CREATE UNIQUE INDEX views_default_idx ON views (container_id, kind) WHERE is_default AND deleted_at IS NULL`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE views`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'view'`);
    await runner.query(`DELETE FROM entities WHERE kind = 'view'`);
  }
}
