import type { Person } from '../../support/test-app.js';
import type { World } from '../callers.js';
import { del, get, partners, patch, post, type Row } from '../rows.js';
import { copyEndeavour, copyOrganization } from '../twins.js';

async function member(world: World, role = 'member'): Promise<Person> {
  const person = await world.app.person('Member');
  await world.app.join(world.endeavour, person, role);
  return person;
}

export const ENDEAVOURS: readonly Row[] = [
  { operation: 'endeavours_list', at: null, success: 200, ask: () => get('/endeavours') },
  { operation: 'endeavours_create', at: null, success: 201, ask: () => post('/endeavours', { name: 'Another' }) },
  {
    operation: 'endeavours_create',
    when: 'in an organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: ({ organization }) => post('/endeavours', { name: 'Another', organization_id: organization }),
    but: { 'organization guest': 403 },
  },
  {
    operation: 'endeavours_get',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}`),
  },
  {
    operation: 'endeavours_update',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }, caller) => patch(`/endeavours/${endeavour}`, { description: caller }),
  },
  {
    operation: 'endeavours_members_list',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/members`),
  },
  {
    operation: 'endeavours_members_add',
    at: 'endeavour',
    success: 201,
    ask: ({ endeavour, bystander }, caller) =>
      post(`/endeavours/${endeavour}/members`, { user_id: bystander.id, stakeholder_roles: [caller] }),
  },
  {
    operation: 'endeavours_members_add',
    when: 'of a member of a partner, who has to be invited',
    at: 'endeavour',
    success: 201,
    ask: async (world) => {
      const { app, partner, endeavour } = world;
      const neighbour = await app.person('Neighbour');
      await app.join(partner, neighbour, 'member');
      return post(`/endeavours/${endeavour}/members`, { user_id: neighbour.id });
    },
    but: {
      'organization admin': 403,
      'organization owner': 403,
      'endeavour admin': 403,
      'endeavour owner': 403,
    },
  },
  {
    operation: 'endeavours_members_add',
    when: 'as an owner',
    at: 'endeavour',
    success: 201,
    ask: async (world) =>
      post(`/endeavours/${world.endeavour}/members`, { user_id: (await member(world)).id, role: 'owner' }),
    // Only owners of the home can promote a user who is not a member of it.
    but: { 'organization admin': 403, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_members_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      patch(`/endeavours/${world.endeavour}/members/${(await member(world)).id}`, { role: 'viewer' }),
  },
  {
    operation: 'endeavours_members_update',
    when: 'of an owner',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      patch(`/endeavours/${world.endeavour}/members/${(await member(world, 'owner')).id}`, { role: 'member' }),
    but: { 'organization admin': 403, 'endeavour admin': 403 },
  },
  {
    operation: 'endeavours_members_remove',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/endeavours/${world.endeavour}/members/${(await member(world)).id}`),
    but: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },
  {
    operation: 'endeavours_archive_preview',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/archive`),
  },
  {
    operation: 'endeavours_archive',
    at: 'endeavour',
    success: 200,
    ask: async (world) => post(`/endeavours/${await copyEndeavour(world)}/archive`, { reason: 'It is over' }),
  },
  {
    operation: 'endeavours_unarchive',
    at: 'endeavour',
    success: 200,
    ask: async (world) => {
      const id = await copyEndeavour(world);
      await world.app.as(world.founder).post(`/endeavours/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return post(`/endeavours/${id}/unarchive`);
    },
    // Only owners of its home are admitted.
    but: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_delete',
    at: 'endeavour',
    success: 202,
    ask: async (world) => {
      const id = await copyEndeavour(world);
      await world.app.as(world.founder).post(`/endeavours/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return del(`/endeavours/${id}?confirm=Garden`);
    },
    // Only owners of its home are admitted.
    but: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_transfer',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      post(`/endeavours/${await copyEndeavour(world)}/transfer`, { organization_id: await copyOrganization(world) }),
    but: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_export',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/export`),
  },
];
