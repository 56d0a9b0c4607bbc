import { kindOf } from '../../../src/common/ids.js';
import type { OperationId } from '../../../src/access/permissions/permissions.js';
import type { World } from '../callers.js';
import { del, get, post, type ApiRequest, type Row } from '../rows.js';
import { ENDEAVOURS } from './endeavours.js';
import { ORGANIZATION_MEMBERS } from './organization-members.js';
import { RESOURCES } from './resources.js';

/** Operations that add memberships and links, which can also be created as relations. */
const ADDING: readonly OperationId[] = [
  'organizations_resources_add',
  'organizations_members_add',
  'organizations_endeavours_add',
  'endeavours_members_add',
  'resources_members_add',
];
const REMOVING: readonly OperationId[] = [
  'organizations_resources_remove',
  'organizations_members_remove',
  'organizations_endeavours_remove',
  'endeavours_members_remove',
  'resources_members_remove',
];

/**
 * Rows without an equivalent relation: additions of existing members, whose role a new relation does not change, and
 * the second of two operations that remove a person.
 */
const LEFT_OUT: readonly string[] = [
  'organizations_resources_remove',
  'organizations_members_add of a user who is a member already',
  'organizations_members_add as an owner',
  'endeavours_members_add',
  'endeavours_members_add as an owner',
];

const nameOf = ({ operation, when }: Row): string => (when === undefined ? operation : `${operation} ${when}`);
const FRONT = [...ORGANIZATION_MEMBERS, ...ENDEAVOURS, ...RESOURCES].filter((row) => !LEFT_OUT.includes(nameOf(row)));
const rowsOf = (operations: readonly OperationId[]): Row[] =>
  FRONT.filter(({ operation }) => operations.includes(operation));

interface Ends {
  relationship_type: string;
  source_entity_type?: string;
  source_entity_id: string;
  target_entity_type?: string;
  target_entity_id: string;
}

/** The same membership as a relation. */
function asRelation(container: string, member: string): Ends {
  const isOf = kindOf(container) === 'endeavour' || kindOf(member) === 'endeavour';
  const relationship_type = isOf ? 'belongs_to' : 'has_member';
  const [source, target] = isOf ? [member, container] : [container, member];
  return {
    relationship_type,
    source_entity_type: kindOf(source),
    source_entity_id: source,
    target_entity_type: kindOf(target),
    target_entity_id: target,
  };
}

async function resourceOf({ app }: World, id: string): Promise<string> {
  if (kindOf(id) !== 'user') return id;
  const [{ resource_id }] = await app.database.query<{ resource_id: string }>(
    'SELECT resource_id FROM users WHERE id = $1',
    [id],
  );
  return resource_id;
}

async function creating(world: World, { path, body }: ApiRequest): Promise<ApiRequest> {
  const { user_id, resource_id, endeavour_id, ...metadata } = body as Record<string, string>;
  const member = await resourceOf(world, user_id ?? resource_id ?? endeavour_id);
  return post('/relations', { ...asRelation(path.split('/')[2], member), metadata });
}

/** The path of the relation, which an administrator looks up. */
async function pathOf(world: World, container: string, member: string): Promise<string> {
  const { relationship_type, source_entity_id, target_entity_id } = asRelation(
    container,
    await resourceOf(world, member),
  );
  const query = new URLSearchParams({ relationship_type, source_entity_id, target_entity_id }).toString();
  const { body } = await world.app.as(world.administrator).get(`/relations?${query}`).expect(200);
  return `/relations/${body.data[0].id}`;
}

async function deleting(world: World, { path }: ApiRequest): Promise<ApiRequest> {
  const [, , container, , member] = path.split('/');
  return del(await pathOf(world, container, member));
}

/** Callers who cannot see the container get 400 instead of 404, because the body names it. */
const inBody = (but: Row['exceptions'] = {}): Row['exceptions'] =>
  Object.fromEntries(
    Object.entries(but).map(([name, status]) => [name, status === 404 ? 400 : status < 300 ? 201 : status]),
  );

/** The expected statuses come from the rows of the operations on memberships and links. */
export const MEMBERSHIP_RELATIONS: readonly Row[] = [
  ...rowsOf(ADDING).map((row): Row => ({
    operation: 'relations_create',
    needs: row.operation,
    when: `like ${nameOf(row)}`,
    scope: row.scope,
    inBody: true,
    success: 201,
    request: async (world, caller) => creating(world, await row.request(world, caller)),
    exceptions: inBody(row.exceptions),
  })),
  {
    operation: 'relations_create',
    needs: 'endeavours_members_add',
    when: 'of a member of the home and the endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => {
      const colleague = await world.app.person('Colleague');
      await world.app.join(world.organization, colleague, 'member');
      return post('/relations', asRelation(world.endeavour, colleague.resourceId));
    },
  },
  ...rowsOf(REMOVING).map((row): Row => ({
    operation: 'relations_delete',
    needs: row.operation,
    when: `like ${nameOf(row)}`,
    scope: row.scope,
    success: 200,
    request: async (world, caller) => deleting(world, await row.request(world, caller)),
    exceptions: row.exceptions,
  })),
  {
    operation: 'relations_list',
    needs: 'endeavours_members_list',
    when: 'of memberships',
    scope: null,
    success: 200,
    request: ({ endeavour }) => get(`/relations?relationship_type=participates_in&entity_id=${endeavour}`),
  },
  {
    operation: 'relations_get',
    needs: 'organizations_members_list',
    when: 'of a member of the organization',
    scope: 'organization',
    success: 200,
    request: async (world) => get(await pathOf(world, world.organization, world.bystander.resourceId)),
  },
  {
    operation: 'relations_get',
    needs: 'endeavours_members_list',
    when: 'of a member of the endeavour',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(await pathOf(world, world.endeavour, world.callers['endeavour viewer'].resourceId)),
  },
  {
    operation: 'relations_get',
    needs: 'endeavours_get',
    when: 'of the link between them',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(await pathOf(world, world.organization, world.endeavour)),
  },
];
