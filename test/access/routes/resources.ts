import type { CallerName, World } from '../callers.js';
import { del, everyCaller, get, made, partners, patch, post, type Row } from '../rows.js';
import { copyOrganization } from '../twins.js';

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
const managers = (success: number): Row['but'] =>
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
    at: 'endeavour',
    success: 200,
    ask: ({ bystander, founder, endeavour }) =>
      post(`/resources/${bystander.resourceId}/reassign`, { to: founder.id, endeavour_id: endeavour }),
    but: {
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
    at: 'endeavour',
    success: 200,
    ask: async ({ app, bystander, founder, callers }, caller) => {
      await app.endeavour(callers[caller]);
      return post(`/resources/${bystander.resourceId}/reassign`, { to: founder.id });
    },
  },
  {
    operation: 'resources_reassign',
    when: 'of oneself',
    at: null,
    success: 200,
    ask: async (world, caller) => {
      const { resourceId } = world.callers[caller];
      return post(`/resources/${resourceId}/reassign`, { to: await own(world, caller) });
    },
  },
  { operation: 'resources_list', at: null, success: 200, ask: () => get('/resources') },
  {
    operation: 'resources_create',
    at: null,
    success: 201,
    ask: () => post('/resources', { name: 'Spade', type: 'service' }),
  },
  {
    operation: 'resources_create',
    when: 'in an organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: ({ organization }) => post('/resources', { name: 'Mower', type: 'service', organization_id: organization }),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'resources_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/resources/${await inOrganization(world)}`),
  },
  {
    operation: 'resources_get',
    when: 'of a user with whom the caller shares nothing',
    at: null,
    success: 200,
    ask: ({ stranger }) => get(`/resources/${stranger.resourceId}`),
    but: everyCaller(404, { administrator: 200 }),
  },
  {
    operation: 'resources_load',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/resources/${await inOrganization(world)}/load`),
  },
  {
    operation: 'resources_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/resources/${await inOrganization(world)}`, { name: 'Changed' }),
    but: managers(200),
  },
  {
    operation: 'resources_update',
    when: 'of its creator, in no organization',
    at: null,
    success: 200,
    ask: async (world, caller) => patch(`/resources/${await own(world, caller)}`, { name: 'Changed' }),
  },
  {
    operation: 'resources_update',
    when: 'of the resource of another user',
    at: 'endeavour',
    success: 200,
    ask: ({ bystander }, caller) => patch(`/resources/${bystander.resourceId}`, { name: caller }),
    but: everyCaller(403, { outsider: 404, 'former member': 404, administrator: 200 }),
  },
  {
    operation: 'resources_delete',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/resources/${await inOrganization(world)}`),
    but: managers(200),
  },
  {
    operation: 'resources_transfer',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      post(`/resources/${await inOrganization(world)}/transfer`, { organization_id: await copyOrganization(world) }),
    but: everyCaller(403, {
      outsider: 404,
      'former member': 404,
      'organization owner': 200,
      administrator: 200,
    }),
  },
  {
    operation: 'resources_members_list',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/resources/${await inOrganization(world, 'team')}/members`),
  },
  {
    operation: 'resources_members_add',
    at: 'endeavour',
    success: 201,
    ask: async (world) =>
      post(`/resources/${await inOrganization(world, 'team')}/members`, { resource_id: world.bystander.id }),
    but: managers(201),
  },
  {
    operation: 'resources_members_remove',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/resources/${await teamOfTwo(world)}/members/${world.bystander.resourceId}`),
    but: managers(200),
  },
];
