import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks, the state of their delivery, and their deliveries. */
export class Webhooks1763700001020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE webhooks (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        organization_id text,
        endeavour_id text,
        owner_id text NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        description text,
        is_enabled boolean NOT NULL DEFAULT true,
        disabled_reason text,
        deleted_at timestamptz(3),
        CONSTRAINT webhooks_pkey PRIMARY KEY (id),
        CONSTRAINT webhooks_container_check CHECK (num_nonnulls(organization_id, endeavour_id) = 1),
        CONSTRAINT webhooks_url_check CHECK (char_length(url) BETWEEN 1 AND 2048),
        CONSTRAINT webhooks_events_check CHECK (cardinality(events) BETWEEN 1 AND 50),
        CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('owner_left', 'moved', 'failing', 'gone')),
        CONSTRAINT webhooks_enabled_check CHECK (NOT is_enabled OR (disabled_reason IS NULL AND deleted_at IS NULL)),
        CONSTRAINT webhooks_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
        CONSTRAINT webhooks_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT webhooks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES resources(id)
      )`,
      `CREATE INDEX webhooks_organization_id_idx ON webhooks (organization_id)`,
      `CREATE INDEX webhooks_endeavour_id_idx ON webhooks (endeavour_id)`,
      `CREATE INDEX webhooks_owner_id_idx ON webhooks (owner_id)`,
      `CREATE TABLE webhook_states (
        webhook_id text NOT NULL,
        since bigint NOT NULL,
        began_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        home_id text,
        secret_version integer NOT NULL DEFAULT 1,
        secret_rotated_at timestamptz(3),
        due_at timestamptz(3),
        rest_until timestamptz(3),
        claim integer NOT NULL DEFAULT 0,
        locked_until timestamptz(3),
        is_slow boolean NOT NULL DEFAULT false,
        failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz(3),
        last_success_at timestamptz(3),
        CONSTRAINT webhook_states_pkey PRIMARY KEY (webhook_id),
        CONSTRAINT webhook_states_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id)
      )`,
      `CREATE INDEX webhook_states_due_at_idx ON webhook_states (due_at) WHERE due_at IS NOT NULL`,
      `CREATE TABLE webhook_feed (
        id boolean NOT NULL DEFAULT true,
        position bigint NOT NULL DEFAULT 0,
        CONSTRAINT webhook_feed_id_check CHECK (id),
        CONSTRAINT webhook_feed_pkey PRIMARY KEY (id)
      )`,
      `INSERT INTO webhook_feed DEFAULT VALUES`,
      `CREATE TABLE webhook_deliveries (
        id text NOT NULL,
        webhook_id text NOT NULL,
        type text NOT NULL,
        event_id text,
        entity_id text,
        sequence bigint,
        order_key text,
        redelivery_of text,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3),
        attempted_at timestamptz(3),
        response_status integer,
        response_ms integer,
        response_body text,
        error text,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        finished_at timestamptz(3),
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'succeeded', 'failed', 'skipped')),
        CONSTRAINT webhook_deliveries_finished_at_check CHECK ((status = 'pending') = (finished_at IS NULL)),
        CONSTRAINT webhook_deliveries_due_at_check CHECK (due_at IS NULL OR status = 'pending'),
        CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id)
      )`,
      `CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx ON webhook_deliveries (webhook_id, created_at, id)`,
      `CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at)`,
      `CREATE INDEX webhook_deliveries_due_at_idx ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL`,
      `CREATE INDEX webhook_deliveries_order_key_idx ON webhook_deliveries (webhook_id, order_key, sequence)
        WHERE status = 'pending' AND order_key IS NOT NULL`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_deliveries, webhook_feed, webhook_states`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'webhook'`);
    await runner.query(`DROP TABLE webhooks`);
    await runner.query(`DELETE FROM entities WHERE kind = 'webhook'`);
  }
}
