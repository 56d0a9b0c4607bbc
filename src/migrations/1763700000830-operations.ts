import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operations that take longer than a request, and the states before archiving, so that they can be restored. */
export class Operations1763700000830 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE operations (
        id text NOT NULL,
        type text NOT NULL,
        status text NOT NULL DEFAULT 'queued',
        user_id text NOT NULL,
        created_by text NOT NULL,
        container_id text,
        organization_id text,
        is_cancelable boolean NOT NULL DEFAULT false,
        parameters jsonb NOT NULL DEFAULT '{}',
        tally jsonb NOT NULL DEFAULT '{}',
        done integer NOT NULL DEFAULT 0,
        total integer,
        result json,
        error jsonb,
        attempts integer NOT NULL DEFAULT 0,
        request_id text,
        cancel_requested_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        due_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz(3),
        CONSTRAINT operations_done_check CHECK (done >= 0 AND total >= 0),
        CONSTRAINT operations_finished_at_check
          CHECK ((status IN ('succeeded', 'failed', 'canceled')) = (finished_at IS NOT NULL)),
        CONSTRAINT operations_status_check CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
        CONSTRAINT operations_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE archived_states (
        entity_id text NOT NULL,
        kind text NOT NULL,
        endeavour_id text,
        organization_id text,
        previous jsonb NOT NULL,
        CONSTRAINT archived_states_previous_check CHECK (jsonb_typeof(previous) = 'object'),
        CONSTRAINT archived_states_pkey PRIMARY KEY (entity_id)
      )`,
      `ALTER TABLE endeavours ADD COLUMN closed_by text`,
      `ALTER TABLE organizations ADD COLUMN closed_by text`,
      `CREATE UNIQUE INDEX operations_running_user_idx ON operations (user_id) WHERE status = 'running'`,
      `CREATE INDEX operations_unfinished_due_at_idx ON operations (due_at) WHERE finished_at IS NULL`,
      `CREATE INDEX operations_user_id_created_at_idx ON operations (user_id, created_at)`,
      `CREATE INDEX operations_container_id_idx ON operations (container_id)`,
      `CREATE INDEX archived_states_endeavour_id_kind_idx ON archived_states (endeavour_id, kind)`,
      `CREATE INDEX archived_states_organization_id_idx ON archived_states (organization_id) WHERE organization_id IS NOT NULL`,
      `CREATE INDEX endeavours_closed_by_idx ON endeavours (closed_by) WHERE closed_by IS NOT NULL`,
      `CREATE INDEX organizations_closed_by_idx ON organizations (closed_by) WHERE closed_by IS NOT NULL`,
      `ALTER TABLE operations ADD CONSTRAINT operations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE operations ADD CONSTRAINT operations_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `ALTER TABLE operations ADD CONSTRAINT operations_container_id_fkey FOREIGN KEY (container_id) REFERENCES entities(id)`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES operations(id)`,
      `ALTER TABLE organizations ADD CONSTRAINT organizations_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES operations(id)`,
      `ALTER TABLE archived_states ADD CONSTRAINT archived_states_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE endeavours DROP COLUMN closed_by`,
      `ALTER TABLE organizations DROP COLUMN closed_by`,
      `DROP TABLE archived_states, operations`,
    ]) {
      await runner.query(statement);
    }
  }
}
