import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `CREATE TABLE oauth_clients (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     name text NOT NULL,
     registered_by text NOT NULL,
     redirect_uris text[] NOT NULL,
     grant_types text[] NOT NULL,
     auth_method text NOT NULL,
     secret_hash text,
     deleted_at timestamptz(3),
     CONSTRAINT oauth_clients_pkey PRIMARY KEY (id),
     CONSTRAINT oauth_clients_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
     CONSTRAINT oauth_clients_registered_by_check CHECK (registered_by IN ('administrator', 'token', 'open')),
     CONSTRAINT oauth_clients_redirect_uris_check CHECK (cardinality(redirect_uris) <= 20
       AND (cardinality(redirect_uris) > 0 OR NOT 'authorization_code' = ANY(grant_types))),
     CONSTRAINT oauth_clients_grant_types_check CHECK (cardinality(grant_types) > 0 AND grant_types <@
       ARRAY['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']),
     CONSTRAINT oauth_clients_auth_method_check CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
     CONSTRAINT oauth_clients_secret_check CHECK (secret_hash IS NULL OR (auth_method <> 'none' AND deleted_at IS NULL)),
     CONSTRAINT oauth_clients_id_fkey FOREIGN KEY (id) REFERENCES entities(id)
   )`;

/** The programs of others that are registered here. */
export class OauthClients1763700004390 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_clients');
  }
}
