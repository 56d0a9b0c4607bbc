import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens with which identity providers have signed people out. */
export class LogoutTokens1763700004008 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE logout_tokens (
         provider_id text NOT NULL,
         jti text NOT NULL,
         expires_at timestamptz(3) NOT NULL,
         CONSTRAINT logout_tokens_pkey PRIMARY KEY (provider_id, jti),
         CONSTRAINT logout_tokens_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES identity_providers(id)
       )`,
    );
    await runner.query(`CREATE INDEX logout_tokens_expires_at_idx ON logout_tokens (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE logout_tokens');
  }
}
