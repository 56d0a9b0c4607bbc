import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';
import { keepRights } from './partitioning/keep-rights.js';

/**
 * Makes the entries of the audit, their origins and those without a seal the first partitions of new tables with the same
 * names, columns, constraints and indexes, so that releases that know nothing of partitions read and write them as
 * before. No row is read or moved. The foreign keys between them stay those of the partitions. The locks are held for some
 * milliseconds, and are asked for again and again, so that nothing waits behind them for longer.
 */
export class AuditByMonth1763700004537 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADD_MONTH_PARTITIONS.replace('CREATE', 'CREATE OR REPLACE'));
    await runner.query(
      lockedBriefly('LOCK TABLE audit_entries, audit_unsealed, audit_origins IN ACCESS EXCLUSIVE MODE'),
    );
    for (const { name } of ROW_TRIGGERS) await runner.query(`DROP TRIGGER ${name} ON audit_entries`);
    for (const [table, key] of Object.entries(KEYS)) {
      await runner.query(`ALTER TABLE ${table} SET SCHEMA partitions`);
      await runner.query(
        `CREATE TABLE ${table} (LIKE partitions.${table} INCLUDING DEFAULTS) PARTITION BY RANGE (${key})`,
      );
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (${key})`);
      await runner.query(keepRights(`partitions.${table}`, table));
    }
    for (const index of INDEXES) await runner.query(index);
    for (const { name, when } of ROW_TRIGGERS) await runner.query(`CREATE TRIGGER ${name} ${when}`);
    await runner.query(`CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
    for (const table of Object.keys(KEYS)) {
      await runner.query(`DO $$ BEGIN
        EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION partitions.${table} FOR VALUES FROM (MINVALUE) TO (%L)',
          (SELECT substring(pg_get_constraintdef(c.oid) FROM 'aud_[0-9a-f]+') FROM pg_constraint c
           WHERE c.conrelid = 'partitions.${table}'::regclass AND c.conname = '${table}_first_check'));
      END $$`);
      await runner.query(`ALTER TABLE partitions.${table} DROP CONSTRAINT ${table}_first_check`);
    }
    await runner.query(`SELECT add_month_partitions('audit_entries')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(KEYS)) {
      await runner.query(`ALTER TABLE ${table} DETACH PARTITION partitions.${table}`);
    }
    await runner.query('ALTER TABLE partitions.audit_entries DISABLE TRIGGER USER');
    for (const table of Object.keys(KEYS)) await runner.query(`INSERT INTO partitions.${table} SELECT * FROM ${table}`);
    await runner.query('ALTER TABLE partitions.audit_entries ENABLE TRIGGER USER');
    for (const [table, key] of Object.entries(KEYS).toReversed()) {
      await runner.query(keepRights(table, `partitions.${table}`));
      await runner.query(`DROP TABLE ${table}`);
      await runner.query(`ALTER TABLE partitions.${table} SET SCHEMA public`);
      await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_first_check CHECK (${key} < 'aue_') NOT VALID`);
    }
    for (const { name, when } of ROW_TRIGGERS) await runner.query(`CREATE OR REPLACE TRIGGER ${name} ${when}`);
  }
}

/** Entries come first, because the others refer to them. */
const KEYS = { audit_entries: 'id', audit_unsealed: 'entry_id', audit_origins: 'entry_id' };

const INDEXES = [
  `CREATE INDEX audit_entries_occurred_at_id_idx ON audit_entries (occurred_at, id)`,
  `CREATE INDEX audit_entries_organization_id_occurred_at_idx ON audit_entries (organization_id, occurred_at)`,
  `CREATE INDEX audit_entries_user_id_occurred_at_idx ON audit_entries (user_id, occurred_at)`,
  `CREATE INDEX audit_entries_actor_id_occurred_at_idx ON audit_entries (actor_id, occurred_at)`,
  `CREATE INDEX audit_entries_entity_id_occurred_at_idx ON audit_entries (entity_id, occurred_at)`,
  `CREATE INDEX audit_entries_former_organization_id_occurred_at_idx ON audit_entries (former_organization_id, occurred_at)
      WHERE former_organization_id IS NOT NULL`,
  `CREATE INDEX audit_origins_user_id_idx ON audit_origins (user_id)`,
  `CREATE INDEX audit_origins_email_idx ON audit_origins (email) WHERE email IS NOT NULL`,
];

const ROW_TRIGGERS = [
  {
    name: 'audit_entries_immutable',
    when: 'BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()',
  },
  {
    name: 'audit_entries_unsealed',
    when: 'AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION await_audit_seal()',
  },
];

const ADD_MONTH_PARTITIONS = `CREATE FUNCTION add_month_partitions(of_table text) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
      DECLARE
        audit constant text[] := '{audit_entries,audit_unsealed,audit_origins}';
        kind text := CASE WHEN of_table = 'webhook_deliveries' THEN 'whd' WHEN of_table = ANY(audit) THEN 'aud' END;
        -- The others refer to the first in each month: a foreign key of the tables would lock out writers here.
        family text[] := CASE kind WHEN 'whd' THEN ARRAY[of_table] WHEN 'aud' THEN audit END;
        edge timestamptz := date_trunc('month', now()) + interval '3 months';
        reached timestamptz;
        added integer := 0;
        member text;
        month text;
        referenced regclass;
      BEGIN
        reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = family[1]);
        IF reached IS NULL THEN
          RAISE EXCEPTION '% has no partitions by month', of_table USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF reached >= edge THEN RETURN 0; END IF;
        -- A foreign key of a partition adds a trigger to the table that it refers to.
        FOR referenced IN SELECT DISTINCT c.confrelid::regclass FROM pg_constraint c
          WHERE c.contype = 'f' AND c.conrelid = family[1]::regclass
        LOOP
          EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE NOWAIT', referenced);
        END LOOP;
        FOREACH member IN ARRAY family LOOP
          EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', member);
        END LOOP;
        LOOP
          -- Another replica may have added some before this one had the lock.
          reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = family[1]);
          EXIT WHEN reached >= edge;
          month := to_char(reached, '_YYYY_MM');
          FOREACH member IN ARRAY family LOOP
            EXECUTE format('CREATE TABLE partitions.%I (LIKE %I INCLUDING ALL)', member || month, member);
            IF member <> family[1] THEN
              EXECUTE format('ALTER TABLE partitions.%I ADD CONSTRAINT %I FOREIGN KEY (entry_id) REFERENCES partitions.%I ON DELETE CASCADE',
                member || month, member || '_entry_id_fkey', family[1] || month);
            ELSIF kind = 'aud' THEN
              -- Triggers of rows are those of the table; this one is not.
              EXECUTE format('CREATE TRIGGER audit_entries_not_emptied BEFORE TRUNCATE ON partitions.%I
                FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()', member || month);
            END IF;
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', member,
              member || month, first_id_of(kind, reached), first_id_of(kind, reached + interval '1 month'));
          END LOOP;
          added := added + 1;
        END LOOP;
        RETURN added;
      END $$`;
