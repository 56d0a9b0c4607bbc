import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules, their states and runs, and the rule that acts in a transaction. */
export class Rules1763700004450 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE FUNCTION acting_rule() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT nullif(current_setting('worksmith.rule', true), '') $$`,
      `CREATE FUNCTION feed_head() RETURNS bigint LANGUAGE sql STABLE SET search_path = public AS $$
      SELECT head FROM feed_state $$`,
      `CREATE TABLE rules (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        name text NOT NULL,
        endeavour_id text NOT NULL,
        "on" text[] NOT NULL,
        filter jsonb NOT NULL DEFAULT '{}',
        actions jsonb NOT NULL,
        is_enabled boolean NOT NULL DEFAULT true,
        disabled_reason text,
        owner_id text NOT NULL,
        created_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT rules_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT rules_on_check CHECK (cardinality("on") BETWEEN 1 AND 50),
        CONSTRAINT rules_filter_check CHECK (jsonb_typeof(filter) = 'object'),
        CONSTRAINT rules_actions_check CHECK (jsonb_typeof(actions) = 'array' AND jsonb_array_length(actions) BETWEEN 1 AND 5),
        CONSTRAINT rules_disabled_reason_check CHECK (disabled_reason IN ('owner_left', 'too_many_waiting', 'imported')),
        CONSTRAINT rules_enabled_check CHECK (NOT is_enabled OR (disabled_reason IS NULL AND deleted_at IS NULL)),
        CONSTRAINT rules_pkey PRIMARY KEY (id),
        CONSTRAINT rules_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT rules_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id),
        CONSTRAINT rules_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES resources(id),
        CONSTRAINT rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)
      )`,
      `CREATE INDEX rules_endeavour_id_created_at_id_idx ON rules (endeavour_id, created_at, id)`,
      `CREATE INDEX rules_created_at_id_idx ON rules (created_at, id)`,
      `CREATE INDEX rules_enabled_idx ON rules (endeavour_id) WHERE is_enabled`,
      `CREATE TABLE rule_states (
        rule_id text NOT NULL,
        since bigint NOT NULL,
        began_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        has_second_factor boolean NOT NULL DEFAULT false,
        proved_to text,
        token_id text,
        CONSTRAINT rule_states_pkey PRIMARY KEY (rule_id),
        CONSTRAINT rule_states_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES rules(id)
      )`,
      `CREATE TABLE rule_feed (
        id boolean NOT NULL DEFAULT true,
        position bigint NOT NULL DEFAULT 0,
        CONSTRAINT rule_feed_id_check CHECK (id),
        CONSTRAINT rule_feed_pkey PRIMARY KEY (id)
      )`,
      `INSERT INTO rule_feed DEFAULT VALUES`,
      `CREATE TABLE rule_runs (
        id text NOT NULL,
        position bigserial NOT NULL,
        rule_id text NOT NULL,
        endeavour_id text NOT NULL,
        event_id text NOT NULL,
        event_type text NOT NULL,
        entity_id text NOT NULL,
        status text NOT NULL DEFAULT 'new',
        due_at timestamptz(3) DEFAULT clock_timestamp(),
        attempts integer NOT NULL DEFAULT 0,
        error_code text,
        error text,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        ran_at timestamptz(3),
        CONSTRAINT rule_runs_status_check CHECK (status IN ('new', 'waiting', 'succeeded', 'refused', 'failed', 'canceled')),
        CONSTRAINT rule_runs_due_at_check CHECK ((due_at IS NOT NULL) = (status IN ('new', 'waiting'))),
        CONSTRAINT rule_runs_pkey PRIMARY KEY (id),
        CONSTRAINT rule_runs_rule_id_event_id_key UNIQUE (rule_id, event_id),
        CONSTRAINT rule_runs_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES rules(id)
      )`,
      `CREATE INDEX rule_runs_rule_id_created_at_id_idx ON rule_runs (rule_id, created_at, id)`,
      `CREATE INDEX rule_runs_created_at_idx ON rule_runs (created_at)`,
      `CREATE INDEX rule_runs_endeavour_id_ran_at_idx ON rule_runs (endeavour_id, ran_at)`,
      `CREATE INDEX rule_runs_pending_idx ON rule_runs (endeavour_id, position) WHERE status IN ('new', 'waiting')`,
      `CREATE INDEX rule_runs_waiting_idx ON rule_runs (rule_id) WHERE status IN ('new', 'waiting')`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['rule_runs', 'rule_feed', 'rule_states', 'rules']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`DROP FUNCTION feed_head()`);
    await runner.query(`DROP FUNCTION acting_rule()`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'rule'`);
    await runner.query(`DELETE FROM entities WHERE kind = 'rule'`);
  }
}
