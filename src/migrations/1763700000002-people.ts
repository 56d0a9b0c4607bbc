import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, their capacity identities, teams and sessions. */
export class People1763700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE users (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        email text NOT NULL,
        name text NOT NULL,
        password_hash text,
        status text NOT NULL DEFAULT 'active',
        user_type text NOT NULL DEFAULT 'human',
        lang text NOT NULL DEFAULT 'en',
        timezone text NOT NULL DEFAULT 'UTC',
        email_copy boolean NOT NULL DEFAULT false,
        is_admin boolean NOT NULL DEFAULT false,
        tier smallint NOT NULL,
        resource_id text NOT NULL,
        external_id text,
        login_count integer NOT NULL DEFAULT 0,
        last_active_at timestamptz(3),
        metadata jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT users_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT users_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT users_tier_check CHECK (tier BETWEEN 1 AND 3),
        CONSTRAINT users_user_type_check CHECK (user_type IN ('human', 'agent')),
        CONSTRAINT users_status_check CHECK (status IN ('active', 'inactive', 'suspended')),
        CONSTRAINT users_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE resources (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        name text NOT NULL,
        type text NOT NULL,
        capacity_model text,
        capacity_value double precision,
        skills text[] NOT NULL DEFAULT '{}',
        status text NOT NULL DEFAULT 'active',
        user_id text,
        quorum jsonb,
        metadata jsonb NOT NULL DEFAULT '{}',
        created_by text,
        deleted_at timestamptz(3),
        CONSTRAINT resources_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT resources_capacity_value_check CHECK (capacity_value BETWEEN 0 AND 1000000000),
        CONSTRAINT resources_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT resources_status_check CHECK (status IN ('active', 'inactive')),
        CONSTRAINT resources_type_check CHECK (type IN ('human', 'agent', 'service', 'budget', 'team')),
        CONSTRAINT resources_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE team_members (
        team_id text NOT NULL,
        resource_id text NOT NULL,
        role text,
        joined_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT team_members_pkey PRIMARY KEY (team_id, resource_id)
      )`,
      `CREATE TABLE sessions (
        id text NOT NULL,
        user_id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        client_address text,
        user_agent text,
        CONSTRAINT sessions_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX sessions_user_id_created_at_idx ON sessions (user_id, created_at)`,
      `CREATE INDEX resources_created_by_idx ON resources (created_by)`,
      `CREATE UNIQUE INDEX resources_user_id_idx ON resources (user_id)`,
      `CREATE INDEX team_members_resource_id_idx ON team_members (resource_id)`,
      `CREATE UNIQUE INDEX users_resource_id_idx ON users (resource_id)`,
      `CREATE UNIQUE INDEX users_email_idx ON users (email)`,
      `ALTER TABLE sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE resources ADD CONSTRAINT resources_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE resources ADD CONSTRAINT resources_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) DEFERRABLE INITIALLY DEFERRED`,
      `ALTER TABLE resources ADD CONSTRAINT resources_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `ALTER TABLE team_members ADD CONSTRAINT team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES resources(id)`,
      `ALTER TABLE team_members ADD CONSTRAINT team_members_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `ALTER TABLE users ADD CONSTRAINT users_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE users ADD CONSTRAINT users_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [`DROP TABLE sessions, team_members, resources, users CASCADE`]) {
      await runner.query(statement);
    }
  }
}
