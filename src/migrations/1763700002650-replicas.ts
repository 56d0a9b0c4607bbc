import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the heartbeats of replicas and the least release, by which contracts know that no older release runs. */
export class Replicas1763700002650 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE replicas (
      id text NOT NULL, version text NOT NULL, commit text, schema bigint NOT NULL,
      started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      seen_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT replicas_pkey PRIMARY KEY (id))`);
    await runner.query(`CREATE TABLE schema_requirements (
      id boolean NOT NULL DEFAULT true, least_schema bigint NOT NULL DEFAULT 0,
      CONSTRAINT schema_requirements_pkey PRIMARY KEY (id), CONSTRAINT schema_requirements_id_check CHECK (id))`);
    await runner.query('INSERT INTO schema_requirements (id) VALUES (true)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_requirements, replicas');
  }
}
