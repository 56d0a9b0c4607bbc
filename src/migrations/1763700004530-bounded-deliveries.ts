import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockedBriefly } from './partitioning/locked-briefly.js';

/**
 * Prepares the partitions of deliveries: the rows of today become the first one, up to the month after the next. That all of
 * them belong there is a constraint, which the next migration validates without a lock that writers feel, so that they
 * need not be read while the table is locked.
 */
export class BoundedDeliveries1763700004530 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA partitions');
    await runner.query(`CREATE FUNCTION first_id_of(kind text, moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT kind || '_' || lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') $$`);
    await runner.query(lockedBriefly('LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE'));
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_first_check CHECK (id < %L) NOT VALID',
        first_id_of('whd', (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC'));
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_first_check');
    await runner.query('DROP FUNCTION first_id_of');
    await runner.query('DROP SCHEMA partitions');
  }
}
