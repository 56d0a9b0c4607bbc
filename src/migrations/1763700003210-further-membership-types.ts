import type { MigrationInterface, QueryRunner } from 'typeorm';

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
  SELECT ${id} AS id, '${type}'::text AS relationship_type, '${source[0]}'::text AS source_entity_type,
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

const FORMER_BRANCHES = [
  branch(
    'organization_resources',
    { id: 'm.has_member_id', type: 'has_member', source: organization, target: resource, isFirst: true },
    OF_ORGANIZATION,
  ),
  branch(
    'organization_resources',
    { id: 'm.member_of_id', type: 'member_of', source: resource, target: organization, isFirst: false },
    OF_ORGANIZATION,
  ),
  branch(
    'team_members',
    { id: 'm.has_member_id', type: 'has_member', source: team, target: resource, isFirst: true },
    OF_TEAM,
  ),
  branch(
    'team_members',
    { id: 'm.member_of_id', type: 'member_of', source: resource, target: team, isFirst: false },
    OF_TEAM,
  ),
  branch(
    'endeavour_members',
    { id: 'm.belongs_to_id', type: 'belongs_to', source: resource, target: endeavour, isFirst: true },
    OF_ENDEAVOUR,
  ),
  branch(
    'endeavour_members',
    { id: 'm.participates_in_id', type: 'participates_in', source: resource, target: endeavour, isFirst: false },
    OF_ENDEAVOUR,
  ),
  branch(
    'organization_endeavours',
    { id: 'm.belongs_to_id', type: 'belongs_to', source: endeavour, target: organization, isFirst: true },
    LINK,
  ),
];

/** The ids of further relation types are derived from that of the first one, so that no table needs another column. */
const derived = (type: string, alias = ''): string => `'rel_' || md5('${type}' || ${alias}belongs_to_id)`;

const BRANCHES = [
  ...FORMER_BRANCHES,
  branch(
    'endeavour_members',
    { id: derived('member_of', 'm.'), type: 'member_of', source: resource, target: endeavour, isFirst: false },
    OF_ENDEAVOUR,
  ),
  branch(
    'organization_endeavours',
    {
      id: derived('participates_in', 'm.'),
      type: 'participates_in',
      source: organization,
      target: endeavour,
      isFirst: false,
    },
    LINK,
  ),
];

const view = (branches: readonly string[]): string =>
  `CREATE OR REPLACE VIEW membership_relations AS ${branches.join('\nUNION ALL')}`;

/** Lets memberships of endeavours be read as `member_of`, and links to organizations as `participates_in`. */
export class FurtherMembershipTypes1763700003210 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX endeavour_members_member_of_idx ON endeavour_members ((${derived('member_of')}))`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX organization_endeavours_participates_in_idx ON organization_endeavours ((${derived('participates_in')}))`,
    );
    await runner.query(view(BRANCHES));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(view(FORMER_BRANCHES));
    await runner.query('DROP INDEX organization_endeavours_participates_in_idx');
    await runner.query('DROP INDEX endeavour_members_member_of_idx');
  }
}
