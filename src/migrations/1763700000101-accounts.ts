import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ups that are not verified yet, codes sent by mail, invitations, and rate counters shared by all processes. */
export class Accounts1763700000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE UNLOGGED TABLE rate_counters (
        key text NOT NULL,
        count integer NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        held_until timestamptz(3) NOT NULL DEFAULT '-infinity',
        CONSTRAINT rate_counters_pkey PRIMARY KEY (key)
      )`,
      `CREATE TABLE codes (
        id uuid NOT NULL,
        purpose text NOT NULL,
        scope text NOT NULL,
        subject text NOT NULL,
        hash text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        attempts_from jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT codes_purpose_check CHECK (purpose IN ('verification', 'reset', 'email_change')),
        CONSTRAINT codes_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE sign_ups (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        email text NOT NULL,
        name text NOT NULL,
        password_hash text NOT NULL,
        invitation_hash text,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT sign_ups_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT sign_ups_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE invitations (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        email text,
        organization_id text,
        role text,
        endeavour_id text,
        endeavour_role text,
        max_uses integer NOT NULL DEFAULT 1,
        uses integer NOT NULL DEFAULT 0,
        expires_at timestamptz(3) NOT NULL,
        token_hash text,
        invited_by text NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT invitations_place_check
          CHECK ((organization_id IS NULL) = (role IS NULL) AND (endeavour_id IS NULL) = (endeavour_role IS NULL)),
        CONSTRAINT invitations_max_uses_check CHECK (max_uses = 1 OR email IS NULL),
        CONSTRAINT invitations_uses_check CHECK (uses BETWEEN 0 AND max_uses),
        CONSTRAINT invitations_endeavour_role_check CHECK (endeavour_role IN ('viewer', 'member', 'admin', 'owner')),
        CONSTRAINT invitations_role_check CHECK (role IN ('guest', 'member', 'admin', 'owner')),
        CONSTRAINT invitations_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX rate_counters_ends_at_idx ON rate_counters (ends_at)`,
      `CREATE INDEX codes_purpose_scope_idx ON codes (purpose, scope)`,
      `CREATE INDEX codes_expires_at_idx ON codes (expires_at)`,
      `CREATE INDEX sign_ups_email_created_at_idx ON sign_ups (email, created_at)`,
      `CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at)`,
      `CREATE UNIQUE INDEX invitations_token_hash_idx ON invitations (token_hash)`,
      `CREATE INDEX invitations_organization_id_idx ON invitations (organization_id)`,
      `CREATE INDEX invitations_endeavour_id_idx ON invitations (endeavour_id)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE invitations ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invitations, sign_ups, codes, rate_counters');
  }
}
