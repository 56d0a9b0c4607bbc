import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Access tokens for programs, their scopes, and the keyed hashes by which they are looked up. */
export class AccessTokens1763700000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE access_tokens (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        user_id text NOT NULL,
        made_by text NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        organization_id text,
        endeavour_id text,
        allowed_networks text[] NOT NULL DEFAULT '{}',
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        CONSTRAINT access_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT access_tokens_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT access_tokens_scopes_check CHECK (cardinality(scopes) BETWEEN 1 AND 50),
        CONSTRAINT access_tokens_container_check CHECK (organization_id IS NULL OR endeavour_id IS NULL),
        CONSTRAINT access_tokens_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
        CONSTRAINT access_tokens_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id),
        CONSTRAINT access_tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
        CONSTRAINT access_tokens_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)
      )`,
      `CREATE INDEX access_tokens_user_id_created_at_idx ON access_tokens (user_id, created_at)`,
      `CREATE INDEX access_tokens_made_by_idx ON access_tokens (made_by)`,
      `CREATE INDEX access_tokens_organization_id_idx ON access_tokens (organization_id)`,
      `CREATE INDEX access_tokens_endeavour_id_idx ON access_tokens (endeavour_id)`,
      `CREATE TABLE access_token_secrets (
        hash text NOT NULL,
        token_id text NOT NULL,
        expires_at timestamptz(3),
        CONSTRAINT access_token_secrets_pkey PRIMARY KEY (hash),
        CONSTRAINT access_token_secrets_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_tokens(id)
      )`,
      // A separate table, because uses are recorded outside of the requests and must not change the rows of the tokens.
      `CREATE TABLE access_token_uses (
        token_id text NOT NULL,
        used_at timestamptz(3) NOT NULL,
        address text NOT NULL,
        CONSTRAINT access_token_uses_pkey PRIMARY KEY (token_id),
        CONSTRAINT access_token_uses_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_tokens(id)
      )`,
      `CREATE INDEX access_token_secrets_token_id_idx ON access_token_secrets (token_id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE access_token_uses, access_token_secrets`);
    await runner.query(`DELETE FROM events WHERE entity_type = 'access_token'`);
    await runner.query(`DROP TABLE access_tokens`);
    await runner.query(`DELETE FROM entities WHERE kind = 'access_token'`);
  }
}
