import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entities (one row for each object that others can refer to), events, and the responses stored by idempotency key. */
export class Entities1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE FUNCTION this_transaction() RETURNS bigint LANGUAGE sql VOLATILE AS $$
        SELECT pg_current_xact_id()::text::bigint $$`,
      `CREATE TABLE entities (
        id text NOT NULL,
        kind text NOT NULL,
        endeavour_id text,
        organization_id text,
        owner_user_id text,
        is_global boolean NOT NULL DEFAULT false,
        title text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT entities_kind_check CHECK (kind ~ '^[a-z_]+$'),
        CONSTRAINT entities_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE events (
        sequence bigserial NOT NULL,
        transaction bigint NOT NULL DEFAULT this_transaction(),
        id text NOT NULL,
        type text NOT NULL,
        entity_type text NOT NULL,
        entity_id text NOT NULL,
        endeavour_id text,
        organization_id text,
        actor_id text,
        actor_name text,
        request_id text,
        occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        changed text[] NOT NULL DEFAULT '{}',
        previous json NOT NULL DEFAULT '{}',
        data json NOT NULL,
        CONSTRAINT events_pkey PRIMARY KEY (sequence)
      )`,
      `CREATE TABLE idempotency_keys (
        user_id text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        status integer NOT NULL,
        headers jsonb NOT NULL,
        body text NOT NULL,
        required jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key)
      )`,
      `CREATE INDEX events_organization_id_sequence_idx ON events (organization_id, sequence)`,
      `CREATE INDEX events_endeavour_id_sequence_idx ON events (endeavour_id, sequence)`,
      `CREATE INDEX events_entity_id_sequence_idx ON events (entity_id, sequence)`,
      `CREATE INDEX entities_organization_id_kind_idx ON entities (organization_id, kind)`,
      `CREATE INDEX entities_endeavour_id_kind_idx ON entities (endeavour_id, kind)`,
      `CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at)`,
      `ALTER TABLE events ADD CONSTRAINT events_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE idempotency_keys, events, entities CASCADE`,
      `DROP FUNCTION this_transaction`,
    ]) {
      await runner.query(statement);
    }
  }
}
