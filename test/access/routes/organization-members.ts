import type { Person } from '../../support/test-app.js';
import { CALLERS, rankAt, type World } from '../callers.js';
import { del, everyCaller, get, made, patch, post, type Row } from '../rows.js';
import { copyEndeavour, copyOrganization } from '../fixtures.js';

/** A user whom every member of the organization sees because they share its endeavour, without being a member. */
async function neighbour(world: World): Promise<Person> {
  const person = await world.app.person('Neighbour');
  await world.app.join(world.endeavour, person, 'viewer');
  return person;
}

async function colleague(world: World, role = 'member'): Promise<Person> {
  const person = await world.app.person('Colleague');
  await world.app.join(world.organization, person, role);
  return person;
}

/** A resource of the founder whose home is the organization. */
const ownResource = (world: World, organization: string): Promise<string> =>
  made(world, world.founder, '/resources', { name: 'Mower', type: 'service', organization_id: organization });

/** A copy of the world's organization, and an endeavour that all its members own and that therefore rejects none. */
async function apart(world: World, isLinked: boolean): Promise<{ organization: string; endeavour: string }> {
  const { app, founder, callers } = world;
  const organization = await copyOrganization(world);
  const endeavour = await app.endeavour(founder);
  const colleagues = CALLERS.filter((name) => rankAt(name, 'organization') > 0);
  for (const name of colleagues) await app.join(endeavour, callers[name], 'owner');
  if (isLinked) await app.link(organization, endeavour);
  return { organization, endeavour };
}

export const ORGANIZATION_MEMBERS: readonly Row[] = [
  {
    operation: 'organizations_members_list',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/members`),
  },
  {
    operation: 'organizations_members_add',
    when: 'of a user who is a member already',
    scope: 'organization',
    success: 201,
    request: async (world) =>
      post(`/organizations/${world.organization}/members`, { user_id: (await colleague(world, 'guest')).id }),
  },
  {
    operation: 'organizations_members_add',
    when: 'of a user who is not a member and has to be invited',
    scope: 'organization',
    success: 201,
    request: async (world) =>
      post(`/organizations/${world.organization}/members`, { user_id: (await neighbour(world)).id }),
    exceptions: { 'organization admin': 403, 'organization owner': 403 },
  },
  {
    operation: 'organizations_members_add',
    when: 'as an owner',
    scope: 'organization',
    success: 201,
    request: async (world) =>
      post(`/organizations/${world.organization}/members`, { user_id: (await colleague(world)).id, role: 'owner' }),
    exceptions: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_members_update',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      patch(`/organizations/${world.organization}/members/${(await colleague(world)).id}`, { role: 'guest' }),
  },
  {
    operation: 'organizations_members_update',
    when: 'of an owner',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      patch(`/organizations/${world.organization}/members/${(await colleague(world, 'owner')).id}`, { role: 'admin' }),
    exceptions: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_members_update',
    when: 'with the capacity of an owner',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      patch(`/organizations/${world.organization}/members/${(await colleague(world, 'owner')).id}`, { capacity: 30 }),
  },
  {
    operation: 'organizations_members_remove',
    scope: 'organization',
    success: 200,
    request: async (world) => del(`/organizations/${world.organization}/members/${(await colleague(world)).id}`),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'organizations_resources_add',
    when: 'for a resource of its own',
    scope: 'organization',
    success: 200,
    request: async (world, caller) => {
      const own = await made(world, world.callers[caller], '/resources', { name: 'Spade', type: 'service' });
      return post(`/organizations/${world.organization}/resources`, { resource_id: own });
    },
  },
  {
    operation: 'organizations_resources_add',
    when: 'for a mere neighbour, who has to be invited',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      post(`/organizations/${world.organization}/resources`, { resource_id: (await neighbour(world)).resourceId }),
    exceptions: { 'organization admin': 403, 'organization owner': 403 },
  },
  {
    operation: 'organizations_resources_add',
    when: 'for a resource whose home is another organization',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const [home, other] = [await copyOrganization(world), await copyOrganization(world)];
      return post(`/organizations/${other}/resources`, { resource_id: await ownResource(world, home) });
    },
    exceptions: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_resources_remove',
    when: 'of a resource from its home',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      del(`/organizations/${world.organization}/resources/${await ownResource(world, world.organization)}`),
    exceptions: { 'organization guest': 403, 'organization member': 403, 'organization admin': 403 },
  },
  {
    operation: 'organizations_resources_remove',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      del(`/organizations/${world.organization}/resources/${(await colleague(world)).resourceId}`),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'organizations_endeavours_add',
    when: 'of an endeavour of its own',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const { organization, endeavour } = await apart(world, false);
      return post(`/organizations/${organization}/endeavours`, { endeavour_id: endeavour });
    },
  },
  {
    operation: 'organizations_endeavours_add',
    when: 'of an endeavour that one may not see',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const endeavour = await world.app.endeavour(await world.app.person('Unrelated'));
      return post(`/organizations/${await copyOrganization(world)}/endeavours`, { endeavour_id: endeavour });
    },
    exceptions: { 'organization admin': 400, 'organization owner': 400 },
  },
  {
    operation: 'organizations_endeavours_add',
    when: 'of an endeavour whose home is another organization',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const { app, founder } = world;
      const [home, other] = [await copyOrganization(world), await copyOrganization(world)];
      const endeavour = await app.endeavour(founder, { organization_id: home });
      return post(`/organizations/${other}/endeavours`, { endeavour_id: endeavour });
    },
    exceptions: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_endeavours_remove',
    when: 'from its home',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const { organization, endeavour } = await apart(world, true);
      return del(`/organizations/${organization}/endeavours/${endeavour}`);
    },
    exceptions: { 'organization guest': 403, 'organization member': 403, 'organization admin': 403 },
  },
  {
    operation: 'organizations_endeavours_remove',
    when: 'of an endeavour whose home is another organization',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const { app, founder } = world;
      const [organization, id] = [await copyOrganization(world), await app.endeavour(founder)];
      await app.link(await app.organization(founder), id);
      await app.link(organization, id);
      return del(`/organizations/${organization}/endeavours/${id}`);
    },
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'organizations_endeavours_remove',
    when: 'by the side that it is shared from',
    scope: null,
    success: 200,
    request: async (world) => del(`/organizations/${world.partner}/endeavours/${await copyEndeavour(world)}`),
    exceptions: everyCaller(404, {
      'organization owner': 200,
      'endeavour owner': 200,
      'partner member': 403,
      'partner admin': 200,
      administrator: 200,
    }),
  },
];
