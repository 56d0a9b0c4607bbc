import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sessions at identity providers in which people signed in. */
export class SessionsAtProviders1763700004006 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sessions ADD COLUMN provider_id text, ADD COLUMN provider_subject text, ADD COLUMN provider_sid text,
         ADD COLUMN end_session_url text,
         ADD CONSTRAINT sessions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES identity_providers(id)`,
    );
    await runner.query(
      `CREATE INDEX sessions_provider_id_provider_subject_idx ON sessions (provider_id, provider_subject)
         WHERE provider_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sessions DROP COLUMN provider_id, DROP COLUMN provider_subject, DROP COLUMN provider_sid, DROP COLUMN end_session_url',
    );
  }
}
