import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the receivers of the audit have taken its sealed entries. */
export class AuditSinks1763700004300 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE audit_sinks (
        target text NOT NULL,
        position bigint NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        last_error text,
        retry_at timestamptz(3),
        updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT audit_sinks_pkey PRIMARY KEY (target),
        CONSTRAINT audit_sinks_position_check CHECK (position >= 0),
        CONSTRAINT audit_sinks_failures_check CHECK ((failures > 0) = (retry_at IS NOT NULL)
          AND (failures > 0) = (last_error IS NOT NULL) AND failures >= 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_sinks');
  }
}
