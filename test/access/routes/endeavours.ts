import type { Person } from '../../support/test-app.js';
import type { World } from '../callers.js';
import { del, get, partners, patch, post, type Row } from '../rows.js';
import { copyEndeavour, copyOrganization } from '../fixtures.js';

async function member(world: World, role = 'member'): Promise<Person> {
  const person = await world.app.person('Member');
  await world.app.join(world.endeavour, person, role);
  return person;
}

export const ENDEAVOURS: readonly Row[] = [
  { operation: 'endeavours_list', scope: null, success: 200, request: () => get('/endeavours') },
  {
    operation: 'endeavours_create',
    scope: null,
    success: 201,
    request: () => post('/endeavours', { name: 'Another' }),
  },
  {
    operation: 'endeavours_create',
    when: 'in an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/endeavours', { name: 'Another', organization_id: organization }),
    exceptions: { 'organization guest': 403 },
  },
  {
    operation: 'endeavours_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}`),
  },
  {
    operation: 'endeavours_update',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }, caller) => patch(`/endeavours/${endeavour}`, { description: caller }),
  },
  {
    operation: 'endeavours_labels_list',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/labels`),
  },
  {
    operation: 'endeavours_labels_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      await world.app.task(world.founder, world.endeavour, { labels: ['gate'] });
      return patch(`/endeavours/${world.endeavour}/labels/gate`, { name: 'Gate' });
    },
  },
  {
    operation: 'endeavours_members_list',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/members`),
  },
  {
    operation: 'endeavours_members_add',
    scope: 'endeavour',
    success: 201,
    request: ({ endeavour, bystander }, caller) =>
      post(`/endeavours/${endeavour}/members`, { user_id: bystander.id, stakeholder_roles: [caller] }),
  },
  {
    operation: 'endeavours_members_add',
    when: 'of a member of a partner, who has to be invited',
    scope: 'endeavour',
    success: 201,
    request: async (world) => {
      const { app, partner, endeavour } = world;
      const neighbour = await app.person('Neighbour');
      await app.join(partner, neighbour, 'member');
      return post(`/endeavours/${endeavour}/members`, { user_id: neighbour.id });
    },
    exceptions: {
      'organization admin': 403,
      'organization owner': 403,
      'endeavour admin': 403,
      'endeavour owner': 403,
    },
  },
  {
    operation: 'endeavours_members_add',
    when: 'as an owner',
    scope: 'endeavour',
    success: 201,
    request: async (world) =>
      post(`/endeavours/${world.endeavour}/members`, { user_id: (await member(world)).id, role: 'owner' }),
    // Only owners of the home can promote a user who is not a member of it.
    exceptions: { 'organization admin': 403, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_members_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      patch(`/endeavours/${world.endeavour}/members/${(await member(world)).id}`, { role: 'viewer' }),
  },
  {
    operation: 'endeavours_members_update',
    when: 'of an owner',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      patch(`/endeavours/${world.endeavour}/members/${(await member(world, 'owner')).id}`, { role: 'member' }),
    exceptions: { 'organization admin': 403, 'endeavour admin': 403 },
  },
  {
    operation: 'endeavours_members_remove',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/endeavours/${world.endeavour}/members/${(await member(world)).id}`),
    exceptions: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },
  {
    operation: 'endeavours_archive_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/archive`),
  },
  {
    operation: 'endeavours_archive',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/endeavours/${await copyEndeavour(world)}/archive`, { reason: 'It is over' }),
  },
  {
    operation: 'endeavours_unarchive',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const id = await copyEndeavour(world);
      await world.app.as(world.founder).post(`/endeavours/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return post(`/endeavours/${id}/unarchive`);
    },
    // Only owners of its home are admitted.
    exceptions: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_delete',
    scope: 'endeavour',
    success: 202,
    request: async (world) => {
      const id = await copyEndeavour(world);
      await world.app.as(world.founder).post(`/endeavours/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return del(`/endeavours/${id}?confirm=Garden`);
    },
    // Only owners of its home are admitted.
    exceptions: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_erasure_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const id = await copyEndeavour(world);
      const founder = world.app.as(world.founder);
      await founder.post(`/endeavours/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      await founder.delete(`/endeavours/${id}?confirm=Garden`).expect(202);
      return del(`/endeavours/${id}/erasure`);
    },
    // Only owners of its home are admitted.
    exceptions: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_transfer',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      post(`/endeavours/${await copyEndeavour(world)}/transfer`, { organization_id: await copyOrganization(world) }),
    exceptions: { 'endeavour owner': 403 },
  },
  {
    operation: 'endeavours_export_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/export`),
  },
];
