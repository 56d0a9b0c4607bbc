import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = `('task', 'demand', 'endeavour', 'organization', 'resource', 'user', 'artifact', 'ritual', 'template',
  'dod_policy', 'comment', 'approval')`;

/** Typed relations between entities. */
export class Relations1763700000404 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE relations (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        relationship_type text NOT NULL,
        source_entity_type text NOT NULL,
        source_entity_id text NOT NULL,
        target_entity_type text NOT NULL,
        target_entity_id text NOT NULL,
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT relations_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT relations_target_entity_id_check CHECK (source_entity_id <> target_entity_id),
        CONSTRAINT relations_target_entity_type_check CHECK (target_entity_type IN ${KINDS}),
        CONSTRAINT relations_source_entity_type_check CHECK (source_entity_type IN ${KINDS}),
        CONSTRAINT relations_relationship_type_check CHECK (relationship_type ~ '^[a-z][a-z0-9_]{1,99}$'),
        CONSTRAINT relations_pkey PRIMARY KEY (id)
      )`,
      `CREATE UNIQUE INDEX duplicate_relation_idx
        ON relations (source_entity_id, target_entity_id, relationship_type) WHERE deleted_at IS NULL`,
      `CREATE INDEX relations_target_entity_id_idx ON relations (target_entity_id)`,
      `CREATE INDEX relations_created_at_id_idx ON relations (created_at, id)`,
      `ALTER TABLE relations ADD CONSTRAINT relations_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE relations ADD CONSTRAINT relations_source_entity_id_fkey FOREIGN KEY (source_entity_id) REFERENCES entities(id)`,
      `ALTER TABLE relations ADD CONSTRAINT relations_target_entity_id_fkey FOREIGN KEY (target_entity_id) REFERENCES entities(id)`,
      `ALTER TABLE relations ADD CONSTRAINT relations_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE relations');
  }
}
