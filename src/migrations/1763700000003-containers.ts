import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, endeavours, their links, and the roles of their members. */
export class Containers1763700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE organizations (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        name text NOT NULL,
        description text,
        status text NOT NULL DEFAULT 'active',
        metadata jsonb NOT NULL DEFAULT '{}',
        archived_at timestamptz(3),
        archived_reason text,
        created_by text,
        CONSTRAINT organizations_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT organizations_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT organizations_status_check CHECK (status IN ('active', 'inactive', 'archived')),
        CONSTRAINT organizations_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE organization_resources (
        organization_id text NOT NULL,
        resource_id text NOT NULL,
        user_id text,
        role text NOT NULL DEFAULT 'member',
        joined_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_resources_role_check CHECK (role IN ('guest', 'member', 'admin', 'owner')),
        CONSTRAINT organization_resources_pkey PRIMARY KEY (organization_id, resource_id)
      )`,
      `CREATE TABLE endeavours (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        name text NOT NULL,
        description text,
        goals jsonb NOT NULL DEFAULT '[]',
        status text NOT NULL DEFAULT 'active',
        timezone text NOT NULL DEFAULT 'UTC',
        lang text NOT NULL DEFAULT 'en',
        start_date timestamptz(3),
        end_date timestamptz(3),
        metadata jsonb NOT NULL DEFAULT '{}',
        completed_at timestamptz(3),
        archived_at timestamptz(3),
        archived_reason text,
        dod_policy_id text,
        created_by text,
        CONSTRAINT endeavours_goals_check CHECK (jsonb_typeof(goals) = 'array'),
        CONSTRAINT endeavours_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT endeavours_end_date_check CHECK (end_date >= start_date),
        CONSTRAINT endeavours_name_check CHECK (char_length(name) BETWEEN 1 AND 500),
        CONSTRAINT endeavours_status_check CHECK (status IN ('pending', 'active', 'on_hold', 'completed', 'archived')),
        CONSTRAINT endeavours_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE organization_endeavours (
        organization_id text NOT NULL,
        endeavour_id text NOT NULL,
        linked_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT organization_endeavours_pkey PRIMARY KEY (organization_id, endeavour_id)
      )`,
      `CREATE TABLE endeavour_members (
        endeavour_id text NOT NULL,
        user_id text NOT NULL,
        resource_id text NOT NULL,
        role text NOT NULL DEFAULT 'member',
        stakeholder_roles text[] NOT NULL DEFAULT '{}',
        joined_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT endeavour_members_role_check CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
        CONSTRAINT endeavour_members_pkey PRIMARY KEY (endeavour_id, user_id)
      )`,
      `CREATE INDEX endeavour_members_user_id_endeavour_id_idx ON endeavour_members (user_id, endeavour_id)`,
      `CREATE INDEX organization_endeavours_endeavour_id_idx ON organization_endeavours (endeavour_id)`,
      `CREATE INDEX organization_resources_resource_id_idx ON organization_resources (resource_id)`,
      `CREATE UNIQUE INDEX organization_resources_user_id_organization_id_idx ON organization_resources (user_id, organization_id)`,
      `ALTER TABLE endeavour_members ADD CONSTRAINT endeavour_members_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE endeavour_members ADD CONSTRAINT endeavour_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE endeavour_members ADD CONSTRAINT endeavour_members_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `ALTER TABLE organization_endeavours ADD CONSTRAINT organization_endeavours_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE organization_endeavours ADD CONSTRAINT organization_endeavours_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id)`,
      `ALTER TABLE organization_resources ADD CONSTRAINT organization_resources_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE organization_resources ADD CONSTRAINT organization_resources_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `ALTER TABLE organization_resources ADD CONSTRAINT organization_resources_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `ALTER TABLE organizations ADD CONSTRAINT organizations_id_fkey FOREIGN KEY (id) REFERENCES entities(id)`,
      `ALTER TABLE organizations ADD CONSTRAINT organizations_created_by_fkey FOREIGN KEY (created_by) REFERENCES resources(id)`,
      `CREATE FUNCTION role_rank(role text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE role WHEN 'owner' THEN 4 WHEN 'admin' THEN 3 WHEN 'member' THEN 2 ELSE 1 END $$`,
      `-- The rank of each user in each endeavour, by their own membership or by that in a linked organization.
   -- An owner of an organization owns the endeavour only if no other organization is linked to it (spec 02).
   CREATE VIEW endeavour_grants AS
   SELECT user_id, endeavour_id, role_rank(role) AS rank, NULL::text AS organization_id FROM endeavour_members
   UNION ALL
   SELECT member.user_id, link.endeavour_id,
          CASE WHEN member.role = 'owner' AND EXISTS (
            SELECT 1 FROM organization_endeavours other
            WHERE other.endeavour_id = link.endeavour_id AND other.organization_id <> link.organization_id
          ) THEN 3 ELSE role_rank(member.role) END,
          link.organization_id
   FROM organization_resources member JOIN organization_endeavours link USING (organization_id)
   WHERE member.user_id IS NOT NULL`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP VIEW endeavour_grants`,
      `DROP FUNCTION role_rank`,
      `DROP TABLE endeavour_members, organization_endeavours, endeavours, organization_resources, organizations CASCADE`,
    ]) {
      await runner.query(statement);
    }
  }
}
