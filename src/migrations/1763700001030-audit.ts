import type { MigrationInterface, QueryRunner } from 'typeorm';

const PROTECTED = ['audit_entries', 'audit_seals', 'audit_checkpoints'];

/**
 * Runs with the rights of the owner, because the role of the service cannot delete audit entries. Through this
 * function, the service can drop whole, old months only.
 */
export const DROP_AUDIT_BEFORE = `CREATE FUNCTION drop_audit_before(edge timestamptz, last bigint, signed text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      top audit_seals;
      gone bigint;
      retention text := coalesce(current_setting('worksmith.audit_retention', true), '');
    BEGIN
      IF edge > now() - interval '30 days' OR edge <> date_trunc('month', edge, 'UTC') THEN
        RAISE EXCEPTION 'only whole months that ended 30 days ago are dropped' USING ERRCODE = 'restrict_violation';
      END IF;
      SELECT * INTO top FROM audit_seals WHERE sealed_at < edge ORDER BY position DESC LIMIT 1;
      IF top.position IS DISTINCT FROM last THEN
        RAISE EXCEPTION 'the checkpoint is not the end of the month' USING ERRCODE = 'restrict_violation';
      END IF;
      -- A custom parameter in the SET clause of a function requires a superuser.
      PERFORM set_config('worksmith.audit_retention', 'on', true);
      DELETE FROM audit_entries e USING audit_seals s WHERE s.entry_id = e.id AND s.position <= last;
      DELETE FROM audit_seals s WHERE s.position <= last;
      GET DIAGNOSTICS gone = ROW_COUNT;
      PERFORM set_config('worksmith.audit_retention', retention, true);
      INSERT INTO audit_checkpoints (position, hash, dropped, before, signature)
        VALUES (last, top.hash, gone, edge, signed);
      RETURN gone;
    END $$`;

const TABLES = [
  `CREATE TABLE audit_entries (
    id text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL,
    actor_id text,
    user_id text,
    entity_type text,
    entity_id text,
    endeavour_id text,
    organization_id text,
    former_organization_id text,
    session_id text,
    token_id text,
    request_id text,
    operation text,
    code text,
    reason text,
    count integer NOT NULL DEFAULT 1,
    details jsonb NOT NULL DEFAULT '{}',
    origin text,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (id))`,
  `CREATE INDEX audit_entries_occurred_at_id_idx ON audit_entries (occurred_at, id)`,
  ...['organization_id', 'user_id', 'actor_id', 'entity_id'].map(
    (column) => `CREATE INDEX audit_entries_${column}_occurred_at_idx ON audit_entries (${column}, occurred_at)`,
  ),
  `CREATE INDEX audit_entries_former_organization_id_occurred_at_idx ON audit_entries (former_organization_id, occurred_at)
    WHERE former_organization_id IS NOT NULL`,
  `CREATE TABLE audit_origins (
    entry_id text NOT NULL,
    user_id text,
    address text,
    user_agent text,
    email text,
    CONSTRAINT audit_origins_pkey PRIMARY KEY (entry_id),
    CONSTRAINT audit_origins_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries (id) ON DELETE CASCADE)`,
  `CREATE INDEX audit_origins_user_id_idx ON audit_origins (user_id)`,
  `CREATE INDEX audit_origins_email_idx ON audit_origins (email) WHERE email IS NOT NULL`,
  `CREATE TABLE audit_seals (
    position bigint NOT NULL,
    entry_id text NOT NULL,
    hash text NOT NULL,
    sealed_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT audit_seals_pkey PRIMARY KEY (position))`,
  `CREATE UNIQUE INDEX audit_seals_entry_id_idx ON audit_seals (entry_id)`,
  `CREATE INDEX audit_seals_sealed_at_idx ON audit_seals (sealed_at)`,
  `CREATE TABLE audit_unsealed (
    entry_id text NOT NULL,
    CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id),
    CONSTRAINT audit_unsealed_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries (id) ON DELETE CASCADE)`,
  `CREATE TABLE audit_checkpoints (
    position bigint NOT NULL,
    hash text NOT NULL,
    dropped bigint NOT NULL,
    before timestamp(3) with time zone NOT NULL,
    signature text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (position))`,
];

const FUNCTIONS = [
  // Only the owner of the tables can disable these triggers; the role of the service is not the owner (docs/audit.md).
  `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND current_setting('worksmith.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE FUNCTION await_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO audit_unsealed (entry_id) VALUES (NEW.id);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER audit_entries_unsealed AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION await_audit_seal()`,
  ...PROTECTED.flatMap((table) => [
    `CREATE TRIGGER ${table}_immutable BEFORE UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER ${table}_not_emptied BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
  ]),
  DROP_AUDIT_BEFORE,
  // The schema is explicit, so that the function does not depend on the search path of confined requests.
  `CREATE FUNCTION home_of(endeavour text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT e.organization_id FROM public.endeavours e WHERE e.id = endeavour $$`,
  `CREATE FUNCTION only_keys(source json, kept text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(part.key, part.value), '{}')
    FROM jsonb_each(source::jsonb) part WHERE part.key = ANY(kept) $$`,
];

/** Records security-relevant actions and their actors in append-only tables. */
export class Audit1763700001030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP FUNCTION only_keys, home_of, drop_audit_before`,
      `DROP TABLE audit_checkpoints, audit_unsealed, audit_seals, audit_origins, audit_entries`,
      `DROP FUNCTION await_audit_seal, refuse_audit_change`,
    ]) {
      await runner.query(statement);
    }
  }
}
