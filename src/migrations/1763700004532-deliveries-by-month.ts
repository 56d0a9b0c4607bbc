import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';
import { keepRights } from './partitioning/keep-rights.js';

const FIRST = 'partitions.webhook_deliveries';

/**
 * Makes the table of deliveries the first partition of a new one with the same name, columns, constraints and indexes, so
 * that releases that know nothing of partitions read and write it as before. No row is read or moved. The locks are
 * held for some milliseconds, and are asked for again and again, so that nothing waits behind them for longer.
 */
export class DeliveriesByMonth1763700004532 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE VIEW month_partitions AS
      SELECT p.relname::text AS parent, c.relname::text AS name, i.inhdetachpending AS is_detaching,
        to_timestamp(('x' || substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''[a-z]{3}_([0-9a-f]{12})'))::bit(48)::bigint / 1000.0)
          AS ends_at
      FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
      WHERE p.relkind = 'p' AND p.relnamespace = 'public'::regnamespace`);
    await runner.query(ADD_MONTH_PARTITIONS);
    await runner.query(
      lockedBriefly(
        'LOCK TABLE webhooks IN SHARE ROW EXCLUSIVE MODE',
        'LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE',
      ),
    );
    await runner.query('ALTER TABLE webhook_deliveries SET SCHEMA partitions');
    await runner.query(
      `CREATE TABLE webhook_deliveries (LIKE ${FIRST} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id)`,
    );
    await runner.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_first_check');
    await runner.query(keepRights(FIRST, 'webhook_deliveries'));
    await runner.query('ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)');
    await runner.query(
      'CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx ON webhook_deliveries (webhook_id, created_at, id)',
    );
    await runner.query('CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at)');
    await runner.query(
      'CREATE INDEX webhook_deliveries_due_at_idx ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL',
    );
    await runner.query(`CREATE INDEX webhook_deliveries_order_key_idx ON webhook_deliveries (webhook_id, order_key, sequence)
      WHERE status = 'pending' AND order_key IS NOT NULL`);
    await runner.query(`ALTER TABLE webhook_deliveries
      ADD CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks`);
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER TABLE webhook_deliveries ATTACH PARTITION ${FIRST} FOR VALUES FROM (MINVALUE) TO (%L)',
        (SELECT substring(pg_get_constraintdef(c.oid) FROM 'whd_[0-9a-f]+') FROM pg_constraint c
         WHERE c.conrelid = '${FIRST}'::regclass AND c.conname = 'webhook_deliveries_first_check'));
    END $$`);
    await runner.query(`ALTER TABLE ${FIRST} DROP CONSTRAINT webhook_deliveries_first_check`);
    await runner.query('CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$');
    await runner.query(`CREATE TRIGGER webhook_deliveries_keep BEFORE DELETE ON webhook_deliveries FOR EACH ROW
      WHEN ((OLD.status = 'pending' OR OLD.id >= first_id_of('whd', now() - interval '30 days'))
        AND current_setting('worksmith.erasing', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION keep_row()`);
    await runner.query(`SELECT add_month_partitions('webhook_deliveries')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_deliveries DETACH PARTITION ${FIRST}`);
    await runner.query(`INSERT INTO ${FIRST} SELECT * FROM webhook_deliveries`);
    await runner.query(keepRights('webhook_deliveries', FIRST));
    await runner.query('DROP TABLE webhook_deliveries');
    await runner.query(`ALTER TABLE ${FIRST} SET SCHEMA public`);
    await runner.query(
      `ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_first_check CHECK (id < 'whe_') NOT VALID`,
    );
    await runner.query('DROP FUNCTION keep_row');
    await runner.query('DROP FUNCTION add_month_partitions');
    await runner.query('DROP VIEW month_partitions');
  }
}

const ADD_MONTH_PARTITIONS = `CREATE FUNCTION add_month_partitions(of_table text) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
      DECLARE
        kind text := CASE of_table WHEN 'webhook_deliveries' THEN 'whd' END;
        edge timestamptz := date_trunc('month', now()) + interval '3 months';
        reached timestamptz := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = of_table);
        added integer := 0;
        named text;
        referenced regclass;
      BEGIN
        IF kind IS NULL OR reached IS NULL THEN
          RAISE EXCEPTION '% has no partitions by month', of_table USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF reached >= edge THEN RETURN 0; END IF;
        -- A foreign key of a partition adds a trigger to the table that it refers to.
        FOR referenced IN SELECT DISTINCT c.confrelid::regclass FROM pg_constraint c
          WHERE c.contype = 'f' AND c.conrelid = of_table::regclass
        LOOP
          EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE NOWAIT', referenced);
        END LOOP;
        EXECUTE format('LOCK TABLE %I IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', of_table);
        LOOP
          -- Another replica may have added some before this one had the lock.
          reached := (SELECT max(p.ends_at) FROM month_partitions p WHERE p.parent = of_table);
          EXIT WHEN reached >= edge;
          named := of_table || to_char(reached, '_YYYY_MM');
          EXECUTE format('CREATE TABLE partitions.%I (LIKE %I INCLUDING ALL)', named, of_table);
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', of_table, named,
            first_id_of(kind, reached), first_id_of(kind, reached + interval '1 month'));
          added := added + 1;
        END LOOP;
        RETURN added;
      END $$`;
