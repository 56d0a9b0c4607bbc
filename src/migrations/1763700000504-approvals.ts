import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approvals: verdicts that are given once and never changed. */
export class Approvals1763700000504 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE approvals (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        entity_type text NOT NULL,
        entity_id text NOT NULL,
        verdict text NOT NULL,
        role text,
        comment text,
        approver_id text NOT NULL,
        entity_revision integer NOT NULL,
        content_hash text NOT NULL,
        is_current boolean NOT NULL DEFAULT true,
        metadata jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT approvals_entity_type_check CHECK (entity_type IN ('task', 'demand', 'endeavour', 'artifact', 'ritual', 'dod_policy')),
        CONSTRAINT approvals_verdict_check CHECK (verdict IN ('approved', 'rejected', 'needs_work')),
        CONSTRAINT approvals_role_check CHECK (char_length(role) BETWEEN 1 AND 100),
        CONSTRAINT approvals_comment_check CHECK (char_length(comment) <= 50000),
        CONSTRAINT approvals_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT approvals_pkey PRIMARY KEY (id),
        CONSTRAINT approvals_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT approvals_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id),
        CONSTRAINT approvals_approver_id_fkey FOREIGN KEY (approver_id) REFERENCES resources(id)
      )`,
      `CREATE UNIQUE INDEX approvals_current_idx ON approvals (entity_id, approver_id, role) NULLS NOT DISTINCT WHERE is_current`,
      `CREATE INDEX approvals_entity_id_created_at_id_idx ON approvals (entity_id, created_at, id)`,
      `CREATE INDEX approvals_approver_id_created_at_id_idx ON approvals (approver_id, created_at, id)`,
      `CREATE INDEX approvals_created_at_id_idx ON approvals (created_at, id)`,
      `-- Rejects every change of an approval except that a newer one supersedes it.
      CREATE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'UPDATE' AND OLD.is_current AND NOT NEW.is_current
            AND to_jsonb(NEW) - 'is_current' = to_jsonb(OLD) - 'is_current' THEN
            RETURN NEW;
          END IF;
          RAISE EXCEPTION 'approvals is never changed' USING ERRCODE = 'restrict_violation';
        END $$`,
      `CREATE TRIGGER approvals_immutable BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approval()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [`DROP TABLE approvals`, `DROP FUNCTION keep_approval`]) {
      await runner.query(statement);
    }
  }
}
