import type { MigrationInterface, QueryRunner } from 'typeorm';

const ids = (table: string, ...columns: string[]): string[] => [
  // A volatile default gives every existing row a different id.
  `ALTER TABLE ${table} ${columns.map((column) => `ADD COLUMN ${column} text NOT NULL DEFAULT new_id('rel')`).join(', ')}`,
  ...columns.map((column) => `CREATE UNIQUE INDEX ${table}_${column}_idx ON ${table} (${column})`),
];

interface Shape {
  id: string;
  type: string;
  source: [kind: string, column: string];
  target: [kind: string, column: string];
  /** Whether this is the first of the relation types for the same membership. */
  isFirst: boolean;
}

/** One branch of the view: a table of memberships, read as relations of one type. */
const branch = (
  from: string,
  { id, type, source, target, isFirst }: Shape,
  { metadata, by, at, organization = 'NULL', endeavour = 'NULL', team = 'NULL', user = 'NULL' }: Record<string, string>,
): string => `
  SELECT m.${id} AS id, '${type}'::text AS relationship_type, '${source[0]}'::text AS source_entity_type,
    m.${source[1]} AS source_entity_id, '${target[0]}'::text AS target_entity_type, m.${target[1]} AS target_entity_id,
    ${metadata}::jsonb AS metadata, ${by}::text AS added_by, m.${at} AS created_at, ${organization}::text AS organization_id,
    ${endeavour}::text AS endeavour_id, ${team}::text AS team_id, ${user}::text AS user_id, ${isFirst} AS is_first
  FROM ${from} m`;

const ROLE = `jsonb_build_object('role', m.role)`;
const OF_ORGANIZATION = {
  metadata: ROLE,
  by: 'm.added_by',
  at: 'joined_at',
  organization: 'm.organization_id',
  user: 'm.user_id',
};
const OF_TEAM = { metadata: ROLE, by: 'NULL', at: 'joined_at', team: 'm.team_id' };
const OF_ENDEAVOUR = {
  metadata: `jsonb_build_object('role', m.role, 'stakeholder_roles', m.stakeholder_roles)`,
  by: 'm.added_by',
  at: 'joined_at',
  endeavour: 'm.endeavour_id',
  user: 'm.user_id',
};
const LINK = {
  metadata: `'{}'`,
  by: 'm.linked_by',
  at: 'linked_at',
  organization: 'm.organization_id',
  endeavour: 'm.endeavour_id',
};

const resource: [string, string] = ['resource', 'resource_id'];
const organization: [string, string] = ['organization', 'organization_id'];
const endeavour: [string, string] = ['endeavour', 'endeavour_id'];
const team: [string, string] = ['resource', 'team_id'];

const BRANCHES = [
  branch(
    'organization_resources',
    { id: 'has_member_id', type: 'has_member', source: organization, target: resource, isFirst: true },
    OF_ORGANIZATION,
  ),
  branch(
    'organization_resources',
    { id: 'member_of_id', type: 'member_of', source: resource, target: organization, isFirst: false },
    OF_ORGANIZATION,
  ),
  branch(
    'team_members',
    { id: 'has_member_id', type: 'has_member', source: team, target: resource, isFirst: true },
    OF_TEAM,
  ),
  branch(
    'team_members',
    { id: 'member_of_id', type: 'member_of', source: resource, target: team, isFirst: false },
    OF_TEAM,
  ),
  branch(
    'endeavour_members',
    { id: 'belongs_to_id', type: 'belongs_to', source: resource, target: endeavour, isFirst: true },
    OF_ENDEAVOUR,
  ),
  branch(
    'endeavour_members',
    { id: 'participates_in_id', type: 'participates_in', source: resource, target: endeavour, isFirst: false },
    OF_ENDEAVOUR,
  ),
  branch(
    'organization_endeavours',
    { id: 'belongs_to_id', type: 'belongs_to', source: endeavour, target: organization, isFirst: true },
    LINK,
  ),
];

/** Makes memberships and links readable as relations, each with an id for every relation type (docs/spec 05). */
export class MembershipRelations1763700000910 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...ids('organization_resources', 'has_member_id', 'member_of_id'),
      ...ids('team_members', 'has_member_id', 'member_of_id'),
      ...ids('endeavour_members', 'belongs_to_id', 'participates_in_id'),
      ...ids('organization_endeavours', 'belongs_to_id'),
      `CREATE VIEW membership_relations AS ${BRANCHES.join('\nUNION ALL')}`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP VIEW membership_relations',
      'ALTER TABLE organization_endeavours DROP COLUMN belongs_to_id',
      'ALTER TABLE endeavour_members DROP COLUMN belongs_to_id, DROP COLUMN participates_in_id',
      'ALTER TABLE team_members DROP COLUMN has_member_id, DROP COLUMN member_of_id',
      'ALTER TABLE organization_resources DROP COLUMN has_member_id, DROP COLUMN member_of_id',
    ]) {
      await runner.query(statement);
    }
  }
}
