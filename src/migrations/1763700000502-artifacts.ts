import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Artifacts: links, documents and other inputs and results of work. */
export class Artifacts1763700000502 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE tasks ADD CONSTRAINT tasks_id_endeavour_id_key UNIQUE (id, endeavour_id)`,
      `CREATE TABLE artifacts (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        kind text NOT NULL,
        title text NOT NULL,
        url text,
        summary text,
        tags text[] NOT NULL DEFAULT '{}',
        endeavour_id text NOT NULL,
        task_id text,
        status text NOT NULL DEFAULT 'active',
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT artifacts_kind_check CHECK (kind IN ('link', 'doc', 'repo', 'file', 'dataset', 'dashboard', 'runbook', 'report', 'test-report', 'other')),
        CONSTRAINT artifacts_status_check CHECK (status IN ('active', 'archived')),
        CONSTRAINT artifacts_title_check CHECK (char_length(title) BETWEEN 1 AND 500),
        CONSTRAINT artifacts_url_check CHECK (url ~* '^https?://' AND char_length(url) <= 2048),
        CONSTRAINT artifacts_summary_check CHECK (char_length(summary) <= 50000),
        CONSTRAINT artifacts_tags_check CHECK (cardinality(tags) <= 50),
        CONSTRAINT artifacts_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT artifacts_pkey PRIMARY KEY (id),
        CONSTRAINT artifacts_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT artifacts_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT artifacts_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id),
        CONSTRAINT artifacts_task_id_endeavour_id_fkey FOREIGN KEY (task_id, endeavour_id)
          REFERENCES tasks (id, endeavour_id) ON UPDATE CASCADE
      )`,
      `CREATE INDEX artifacts_endeavour_id_created_at_id_idx ON artifacts (endeavour_id, created_at, id)`,
      `CREATE INDEX artifacts_task_id_created_at_id_idx ON artifacts (task_id, created_at, id)`,
      `CREATE INDEX artifacts_created_at_id_idx ON artifacts (created_at, id)`,
      `CREATE INDEX artifacts_tags_idx ON artifacts USING gin (tags)`,
      `CREATE INDEX artifacts_title_trigram_idx ON artifacts USING gin (title gin_trgm_ops)`,
      `CREATE INDEX artifacts_summary_trigram_idx ON artifacts USING gin (summary gin_trgm_ops)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [`DROP TABLE artifacts`, `ALTER TABLE tasks DROP CONSTRAINT tasks_id_endeavour_id_key`]) {
      await runner.query(statement);
    }
  }
}
