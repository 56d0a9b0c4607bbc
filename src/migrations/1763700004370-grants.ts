import type { MigrationInterface, QueryRunner } from 'typeorm';

const KIND_CHECK = `ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_kind_check CHECK (
  CASE kind WHEN 'oauth' THEN client_id IS NOT NULL AND resource IS NOT NULL AND resource = 'api'
     WHEN 'access' THEN client_id IS NULL AND resource IS NULL
     WHEN 'calendar' THEN client_id IS NULL AND resource IS NULL AND organization_id IS NULL ELSE false END) NOT VALID`;

/** The tokens of programs to which a person has granted something. Replicas of before do not accept them. */
export class Grants1763700004370 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens ADD COLUMN client_id text, ADD COLUMN resource text');
    await runner.query('ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_kind_check');
    await runner.query(KIND_CHECK);
    await runner.query(
      `ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_grant_check
         CHECK (kind <> 'oauth' OR (NOT '*' = ANY(scopes) AND made_by = user_id)) NOT VALID`,
    );
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_kind_check');
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_grant_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without their client, nothing would show these tokens to their people, who could not revoke them.
    await runner.query(
      `DELETE FROM access_token_secrets s USING access_tokens a WHERE a.id = s.token_id AND a.kind = 'oauth'`,
    );
    await runner.query(
      `UPDATE access_tokens SET kind = 'access', ended_at = coalesce(ended_at, now()) WHERE kind = 'oauth'`,
    );
    await runner.query('ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_kind_check');
    await runner.query('ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_grant_check');
    await runner.query('ALTER TABLE access_tokens DROP COLUMN client_id, DROP COLUMN resource');
    await runner.query(
      `ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_kind_check
         CHECK (kind = 'access' OR (kind = 'calendar' AND organization_id IS NULL))`,
    );
  }
}
