import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE oauth_items (
     model text NOT NULL,
     hash text NOT NULL,
     payload jsonb NOT NULL,
     grant_id text,
     user_code text,
     expires_at timestamptz(3) NOT NULL,
     consumed_at timestamptz(3),
     CONSTRAINT oauth_items_pkey PRIMARY KEY (model, hash),
     CONSTRAINT oauth_items_model_check CHECK (model IN ('AuthorizationCode', 'DeviceCode', 'Interaction', 'RefreshToken')),
     CONSTRAINT oauth_items_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES access_tokens(id)
   )`,
  `CREATE INDEX oauth_items_grant_id_idx ON oauth_items (grant_id)`,
  `CREATE UNIQUE INDEX oauth_items_user_code_idx ON oauth_items (user_code)`,
  `CREATE INDEX oauth_items_expires_at_idx ON oauth_items (expires_at)`,
];

/** What the authorization server remembers between two requests of a program. */
export class OauthItems1763700004371 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_items');
  }
}
