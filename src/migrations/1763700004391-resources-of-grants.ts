import type { MigrationInterface, QueryRunner } from 'typeorm';

const kindCheck = (
  resources: string,
): string => `ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_kind_check CHECK (
  CASE kind WHEN 'oauth' THEN client_id IS NOT NULL AND resource IS NOT NULL AND resource ${resources}
     WHEN 'access' THEN client_id IS NULL AND resource IS NULL
     WHEN 'calendar' THEN client_id IS NULL AND resource IS NULL AND organization_id IS NULL ELSE false END) NOT VALID`;

/** Grants to the tools for AI. Replicas of before accept their tokens nowhere. */
export class ResourcesOfGrants1763700004391 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_kind_check');
    await runner.query(kindCheck("IN ('api', 'mcp')"));
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_kind_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    // They would be tokens of the interface, which their people have not granted.
    await runner.query(
      `DELETE FROM access_token_secrets s USING access_tokens a WHERE a.id = s.token_id AND a.resource = 'mcp'`,
    );
    await runner.query(
      `UPDATE access_tokens SET resource = 'api', ended_at = coalesce(ended_at, now()) WHERE resource = 'mcp'`,
    );
    await runner.query('ALTER TABLE access_tokens DROP CONSTRAINT access_tokens_kind_check');
    await runner.query(kindCheck("= 'api'"));
    await runner.query('ALTER TABLE access_tokens VALIDATE CONSTRAINT access_tokens_kind_check');
  }
}
