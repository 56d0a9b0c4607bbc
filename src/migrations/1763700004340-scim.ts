import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `CREATE TABLE scim_tokens (
     id text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     organization_id text NOT NULL,
     made_by text,
     name text NOT NULL,
     hash text,
     expires_at timestamptz(3) NOT NULL,
     last_used_at timestamptz(3),
     warned_at timestamptz(3),
     ended_at timestamptz(3),
     CONSTRAINT scim_tokens_pkey PRIMARY KEY (id),
     CONSTRAINT scim_tokens_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
     CONSTRAINT scim_tokens_hash_check CHECK (hash IS NULL OR ended_at IS NULL),
     CONSTRAINT scim_tokens_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
     CONSTRAINT scim_tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
     CONSTRAINT scim_tokens_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id)
   )`,
  `CREATE INDEX scim_tokens_organization_id_idx ON scim_tokens (organization_id)`,
  `CREATE INDEX scim_tokens_made_by_idx ON scim_tokens (made_by)`,
  `CREATE UNIQUE INDEX scim_tokens_hash_idx ON scim_tokens (hash)`,
  `CREATE TABLE scim_users (
     organization_id text NOT NULL,
     user_id text NOT NULL,
     user_name text,
     external_id text,
     display_name text,
     name jsonb NOT NULL DEFAULT '{}',
     emails jsonb NOT NULL DEFAULT '[]',
     active boolean NOT NULL,
     former jsonb,
     is_suspended boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     deleted_at timestamptz(3),
     CONSTRAINT scim_users_pkey PRIMARY KEY (organization_id, user_id),
     CONSTRAINT scim_users_user_name_check CHECK (char_length(user_name) BETWEEN 1 AND 500),
     CONSTRAINT scim_users_deleted_check CHECK ((deleted_at IS NULL) = (user_name IS NOT NULL)),
     CONSTRAINT scim_users_active_check CHECK (NOT active OR deleted_at IS NULL),
     CONSTRAINT scim_users_emails_check CHECK (jsonb_typeof(emails) = 'array'),
     CONSTRAINT scim_users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
     CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
   )`,
  `CREATE UNIQUE INDEX scim_users_user_name_idx ON scim_users (organization_id, lower(user_name))`,
  `CREATE INDEX scim_users_organization_id_external_id_idx ON scim_users (organization_id, external_id)`,
  `CREATE INDEX scim_users_organization_id_created_at_user_id_idx ON scim_users (organization_id, created_at, user_id)`,
  `CREATE INDEX scim_users_organization_id_updated_at_idx ON scim_users (organization_id, updated_at)`,
  `CREATE INDEX scim_users_user_id_idx ON scim_users (user_id)`,
  `CREATE TABLE scim_groups (
     team_id text NOT NULL,
     organization_id text NOT NULL,
     display_name text NOT NULL,
     external_id text,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     revision integer NOT NULL DEFAULT 1,
     CONSTRAINT scim_groups_pkey PRIMARY KEY (team_id),
     CONSTRAINT scim_groups_display_name_check CHECK (char_length(display_name) BETWEEN 1 AND 500),
     CONSTRAINT scim_groups_team_id_fkey FOREIGN KEY (team_id) REFERENCES resources(id) ON DELETE CASCADE,
     CONSTRAINT scim_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
   )`,
  `CREATE INDEX scim_groups_organization_id_created_at_team_id_idx ON scim_groups (organization_id, created_at, team_id)`,
  `CREATE INDEX scim_groups_display_name_idx ON scim_groups (organization_id, lower(display_name))`,
  `CREATE INDEX scim_groups_organization_id_external_id_idx ON scim_groups (organization_id, external_id)`,
  `CREATE TABLE scim_group_members (
     team_id text NOT NULL,
     user_id text NOT NULL,
     CONSTRAINT scim_group_members_pkey PRIMARY KEY (team_id, user_id),
     CONSTRAINT scim_group_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES scim_groups(team_id) ON DELETE CASCADE,
     CONSTRAINT scim_group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
   )`,
  `CREATE INDEX scim_group_members_user_id_idx ON scim_group_members (user_id)`,
];

/** What the directories of organizations say about people and groups, and the tokens with which they say it. */
export class Scim1763700004340 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['scim_group_members', 'scim_groups', 'scim_users', 'scim_tokens']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
