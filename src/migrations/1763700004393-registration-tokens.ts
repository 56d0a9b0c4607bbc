import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE oauth_registration_tokens (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     name text NOT NULL,
     hash text,
     expires_at timestamptz(3) NOT NULL,
     last_used_at timestamptz(3),
     ended_at timestamptz(3),
     CONSTRAINT oauth_registration_tokens_pkey PRIMARY KEY (id),
     CONSTRAINT oauth_registration_tokens_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
     CONSTRAINT oauth_registration_tokens_hash_check CHECK (hash IS NULL OR ended_at IS NULL),
     CONSTRAINT oauth_registration_tokens_id_fkey FOREIGN KEY (id) REFERENCES entities(id)
   )`,
  'CREATE UNIQUE INDEX oauth_registration_tokens_hash_idx ON oauth_registration_tokens (hash)',
  `ALTER TABLE oauth_clients ADD COLUMN registered_with text,
     ADD CONSTRAINT oauth_clients_registered_with_fkey FOREIGN KEY (registered_with) REFERENCES oauth_registration_tokens(id),
     ADD CONSTRAINT oauth_clients_registered_with_check CHECK (registered_with IS NULL OR registered_by = 'token')`,
  'CREATE INDEX oauth_clients_registered_with_idx ON oauth_clients (registered_with)',
  `CREATE INDEX oauth_clients_unused_idx ON oauth_clients (created_at)
     WHERE registered_by <> 'administrator' AND deleted_at IS NULL`,
];

/** The tokens with which programs of others register themselves. */
export class RegistrationTokens1763700004393 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_clients DROP COLUMN registered_with');
    await runner.query('DROP INDEX oauth_clients_unused_idx');
    await runner.query('DROP TABLE oauth_registration_tokens');
  }
}
