import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE identity_providers (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     organization_id text,
     name text NOT NULL,
     issuer text NOT NULL,
     client_id text NOT NULL,
     client_secret text,
     scopes text[] NOT NULL,
     domains text[] NOT NULL DEFAULT '{}',
     trust_email boolean NOT NULL DEFAULT false,
     proves_second_factor boolean NOT NULL DEFAULT false,
     jit boolean NOT NULL DEFAULT false,
     role text NOT NULL DEFAULT 'member',
     is_enabled boolean NOT NULL DEFAULT true,
     deleted_at timestamptz(3),
     CONSTRAINT identity_providers_pkey PRIMARY KEY (id),
     CONSTRAINT identity_providers_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
     CONSTRAINT identity_providers_issuer_check CHECK (char_length(issuer) BETWEEN 1 AND 2048),
     CONSTRAINT identity_providers_client_id_check CHECK (char_length(client_id) BETWEEN 1 AND 500),
     CONSTRAINT identity_providers_scopes_check CHECK ('openid' = ANY (scopes) AND cardinality(scopes) <= 20),
     CONSTRAINT identity_providers_domains_check CHECK (cardinality(domains) <= 50),
     CONSTRAINT identity_providers_role_check CHECK (role IN ('guest', 'member', 'admin')),
     CONSTRAINT identity_providers_enabled_check CHECK (NOT is_enabled OR deleted_at IS NULL),
     CONSTRAINT identity_providers_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
     CONSTRAINT identity_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
   )`,
  `CREATE INDEX identity_providers_organization_id_idx ON identity_providers (organization_id)`,
  `CREATE TABLE identities (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     user_id text NOT NULL,
     provider_id text NOT NULL,
     subject text NOT NULL,
     email text,
     last_used_at timestamptz(3),
     ended_at timestamptz(3),
     CONSTRAINT identities_pkey PRIMARY KEY (id),
     CONSTRAINT identities_subject_check CHECK (char_length(subject) <= 255),
     CONSTRAINT identities_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
     CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
     CONSTRAINT identities_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES identity_providers(id)
   )`,
  `CREATE INDEX identities_user_id_created_at_idx ON identities (user_id, created_at)`,
  `CREATE UNIQUE INDEX identities_provider_id_subject_idx ON identities (provider_id, subject) WHERE ended_at IS NULL`,
  `CREATE TABLE oidc_flows (
     hash text NOT NULL,
     provider_id text NOT NULL,
     redirect_uri text NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT oidc_flows_pkey PRIMARY KEY (hash),
     CONSTRAINT oidc_flows_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES identity_providers(id)
   )`,
  `CREATE INDEX oidc_flows_provider_id_idx ON oidc_flows (provider_id)`,
  `CREATE INDEX oidc_flows_expires_at_idx ON oidc_flows (expires_at)`,
  `CREATE TABLE organization_accounts (
     user_id text NOT NULL,
     organization_id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT organization_accounts_pkey PRIMARY KEY (user_id, organization_id),
     CONSTRAINT organization_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
     CONSTRAINT organization_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
   )`,
  `CREATE INDEX organization_accounts_organization_id_idx ON organization_accounts (organization_id)`,
];

/** Identity providers, and what they call the users. */
export class IdentityProviders1763700003900 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['organization_accounts', 'oidc_flows', 'identities', 'identity_providers']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
