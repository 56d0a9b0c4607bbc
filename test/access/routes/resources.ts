import type { CallerName, World } from '../callers.js';
import { del, everyCaller, get, made, partners, patch, post, type Row } from '../rows.js';
import { copyOrganization } from '../fixtures.js';

/** A resource of the organization that has worked in its endeavour, so that all members there see it. */
async function inOrganization(world: World, type = 'service'): Promise<string> {
  const { app, founder, organization, endeavour } = world;
  const id = await made(world, founder, '/resources', { name: 'Mower', type, organization_id: organization });
  const task = await app.task(founder, endeavour, { assignee_id: id });
  await app.as(founder).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
  return id;
}

const own = (world: World, caller: CallerName): Promise<string> =>
  made(world, world.callers[caller], '/resources', { name: 'Spade', type: 'service' });

/** The admins of its home manage a resource; roles in endeavours and in other organizations do not count. */
const managers = (success: number): Row['exceptions'] =>
  everyCaller(403, {
    outsider: 404,
    'former member': 404,
    'organization admin': success,
    'organization owner': success,
    administrator: success,
  });

const teamOfTwo = async (world: World): Promise<string> => {
  const team = await inOrganization(world, 'team');
  await world.app
    .as(world.founder)
    .post(`/resources/${team}/members`)
    .send({ resource_id: world.bystander.id })
    .expect(201);
  return team;
};

export const RESOURCES: readonly Row[] = [
  {
    operation: 'resources_reassign',
    when: 'of another user, in one endeavour',
    scope: 'endeavour',
    success: 200,
    request: ({ bystander, founder, endeavour }) =>
      post(`/resources/${bystander.resourceId}/reassign`, { to: founder.id, endeavour_id: endeavour }),
    exceptions: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },
  {
    operation: 'resources_reassign',
    when: 'of another user, in every endeavour that the caller administers',
    scope: 'endeavour',
    success: 200,
    request: async ({ app, bystander, founder, callers }, caller) => {
      await app.endeavour(callers[caller]);
      return post(`/resources/${bystander.resourceId}/reassign`, { to: founder.id });
    },
  },
  {
    operation: 'resources_reassign',
    when: 'of oneself',
    scope: null,
    success: 200,
    request: async (world, caller) => {
      const { resourceId } = world.callers[caller];
      return post(`/resources/${resourceId}/reassign`, { to: await own(world, caller) });
    },
  },
  { operation: 'resources_list', scope: null, success: 200, request: () => get('/resources') },
  {
    operation: 'resources_create',
    scope: null,
    success: 201,
    request: () => post('/resources', { name: 'Spade', type: 'service' }),
  },
  {
    operation: 'resources_create',
    when: 'in an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) =>
      post('/resources', { name: 'Mower', type: 'service', organization_id: organization }),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'resources_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/resources/${await inOrganization(world)}`),
  },
  {
    operation: 'resources_get',
    when: 'of a user with whom the caller shares nothing',
    scope: null,
    success: 200,
    request: ({ stranger }) => get(`/resources/${stranger.resourceId}`),
    exceptions: everyCaller(404, { administrator: 200 }),
  },
  {
    operation: 'resources_load_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/resources/${await inOrganization(world)}/load`),
  },
  {
    operation: 'resources_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/resources/${await inOrganization(world)}`, { name: 'Changed' }),
    exceptions: managers(200),
  },
  {
    operation: 'resources_update',
    when: 'of its creator, in no organization',
    scope: null,
    success: 200,
    request: async (world, caller) => patch(`/resources/${await own(world, caller)}`, { name: 'Changed' }),
  },
  {
    operation: 'resources_update',
    when: 'of the resource of another user',
    scope: 'endeavour',
    success: 200,
    request: ({ bystander }, caller) => patch(`/resources/${bystander.resourceId}`, { name: caller }),
    exceptions: everyCaller(403, { outsider: 404, 'former member': 404, administrator: 200 }),
  },
  {
    operation: 'resources_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/resources/${await inOrganization(world)}`),
    exceptions: managers(200),
  },
  {
    operation: 'resources_transfer',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      post(`/resources/${await inOrganization(world)}/transfer`, { organization_id: await copyOrganization(world) }),
    exceptions: everyCaller(403, {
      outsider: 404,
      'former member': 404,
      'organization owner': 200,
      administrator: 200,
    }),
  },
  {
    operation: 'resources_members_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/resources/${await inOrganization(world, 'team')}/members`),
  },
  {
    operation: 'resources_members_add',
    scope: 'endeavour',
    success: 201,
    request: async (world) =>
      post(`/resources/${await inOrganization(world, 'team')}/members`, { resource_id: world.bystander.id }),
    exceptions: managers(201),
  },
  {
    operation: 'resources_members_remove',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/resources/${await teamOfTwo(world)}/members/${world.bystander.resourceId}`),
    exceptions: managers(200),
  },
];
