import type { Person } from '../../support/house.js';
import { CALLERS, rankAt, type World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';
import { twinOrganization } from '../twins.js';

/** Somebody whom every member of the organization sees, because they share its endeavour; no member of it. */
async function neighbour(world: World): Promise<Person> {
  const person = await world.house.person('Neighbour');
  await world.house.join(world.endeavour, person, 'viewer');
  return person;
}

async function colleague(world: World, role = 'member'): Promise<Person> {
  const person = await world.house.person('Colleague');
  await world.house.join(world.organization, person, role);
  return person;
}

/** An organization like the world's and an endeavour that all in it own, so that it keeps nobody out. */
async function apart(world: World, isLinked: boolean): Promise<{ organization: string; endeavour: string }> {
  const { house, founder, callers } = world;
  const organization = await twinOrganization(world);
  const endeavour = await house.endeavour(founder);
  const colleagues = CALLERS.filter((name) => rankAt(name, 'organization') > 0);
  for (const name of colleagues) await house.join(endeavour, callers[name], 'owner');
  if (isLinked) await house.link(organization, endeavour);
  return { organization, endeavour };
}

export const ORGANIZATION_MEMBERS: readonly Row[] = [
  {
    operation: 'organizations_members_list',
    at: 'organization',
    success: 200,
    ask: ({ organization }) => get(`/organizations/${organization}/members`),
  },
  {
    operation: 'organizations_members_add',
    at: 'organization',
    success: 201,
    ask: async (world) =>
      post(`/organizations/${world.organization}/members`, { user_id: (await neighbour(world)).id }),
  },
  {
    operation: 'organizations_members_add',
    when: 'as an owner',
    at: 'organization',
    success: 201,
    ask: async (world) =>
      post(`/organizations/${world.organization}/members`, { user_id: (await neighbour(world)).id, role: 'owner' }),
    but: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_members_update',
    at: 'organization',
    success: 200,
    ask: async (world) =>
      patch(`/organizations/${world.organization}/members/${(await colleague(world)).id}`, { role: 'guest' }),
  },
  {
    operation: 'organizations_members_update',
    when: 'of an owner',
    at: 'organization',
    success: 200,
    ask: async (world) =>
      patch(`/organizations/${world.organization}/members/${(await colleague(world, 'owner')).id}`, { role: 'admin' }),
    but: { 'organization admin': 403 },
  },
  {
    operation: 'organizations_members_remove',
    at: 'organization',
    success: 200,
    ask: async (world) => del(`/organizations/${world.organization}/members/${(await colleague(world)).id}`),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'organizations_resources_add',
    when: 'for a resource of its own',
    at: 'organization',
    success: 200,
    ask: async (world, caller) => {
      const own = await made(world, world.callers[caller], '/resources', { name: 'Spade', type: 'service' });
      return post(`/organizations/${world.organization}/resources`, { resource_id: own });
    },
  },
  {
    operation: 'organizations_resources_add',
    when: "for somebody else's resource",
    at: 'organization',
    success: 200,
    ask: async (world) =>
      post(`/organizations/${world.organization}/resources`, { resource_id: (await neighbour(world)).resourceId }),
    but: { 'organization admin': 403, 'organization owner': 403 },
  },
  {
    operation: 'organizations_resources_remove',
    at: 'organization',
    success: 200,
    ask: async (world) => del(`/organizations/${world.organization}/resources/${(await colleague(world)).resourceId}`),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'organizations_endeavours_add',
    when: 'of an endeavour of its own',
    at: 'organization',
    success: 200,
    ask: async (world) => {
      const { organization, endeavour } = await apart(world, false);
      return post(`/organizations/${organization}/endeavours`, { endeavour_id: endeavour });
    },
  },
  {
    operation: 'organizations_endeavours_add',
    when: 'of an endeavour that one may not see',
    at: 'organization',
    success: 200,
    ask: async (world) => {
      const endeavour = await world.house.endeavour(await world.house.person('Nobody'));
      return post(`/organizations/${await twinOrganization(world)}/endeavours`, { endeavour_id: endeavour });
    },
    but: { 'organization admin': 400, 'organization owner': 400 },
  },
  {
    operation: 'organizations_endeavours_remove',
    at: 'organization',
    success: 200,
    ask: async (world) => {
      const { organization, endeavour } = await apart(world, true);
      return del(`/organizations/${organization}/endeavours/${endeavour}`);
    },
  },
  {
    operation: 'organizations_endeavours_remove',
    when: 'of an endeavour of somebody else, which is linked elsewhere too',
    at: 'organization',
    success: 200,
    ask: async (world) => {
      const { house, founder } = world;
      const [organization, id] = [await twinOrganization(world), await house.endeavour(founder)];
      await house.link(organization, id);
      await house.link(await house.organization(founder), id);
      return del(`/organizations/${organization}/endeavours/${id}`);
    },
    but: { 'organization admin': 403, 'organization owner': 403 },
  },
];
