import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Proofs at identity providers, each for the session that has begun it. */
export class ProofsByProviders1763700003904 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE oidc_flows ADD COLUMN session_id text,
         ADD COLUMN started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_flows DROP COLUMN session_id, DROP COLUMN started_at');
  }
}
