import { del, get, patch, post, put, type Row } from '../rows.js';
import { copyOrganization } from '../twins.js';

export const ORGANIZATIONS: readonly Row[] = [
  { operation: 'organizations_list', at: null, success: 200, ask: () => get('/organizations') },
  {
    operation: 'organizations_create',
    at: null,
    success: 201,
    ask: () => post('/organizations', { name: 'Another' }),
  },
  {
    operation: 'organizations_get',
    at: 'organization',
    success: 200,
    ask: ({ organization }) => get(`/organizations/${organization}`),
  },
  {
    operation: 'organizations_update',
    at: 'organization',
    success: 200,
    ask: ({ organization }, caller) => patch(`/organizations/${organization}`, { description: caller }),
  },
  {
    operation: 'organizations_alert_terms_list',
    at: 'organization',
    success: 200,
    ask: ({ organization }) => get(`/organizations/${organization}/alert-terms`),
  },
  {
    operation: 'organizations_alert_terms_replace',
    at: 'organization',
    success: 200,
    ask: ({ organization }, caller) => put(`/organizations/${organization}/alert-terms`, { terms: [caller] }),
  },
  {
    operation: 'organizations_alerts_list',
    at: 'organization',
    success: 200,
    ask: ({ organization }) => get(`/organizations/${organization}/alerts`),
  },
  {
    operation: 'alerts_get',
    at: 'organization',
    success: 200,
    ask: async ({ app, founder, organization, endeavour }) => {
      await app
        .as(founder)
        .put(`/organizations/${organization}/alert-terms`)
        .send({ terms: ['leak'] })
        .expect(200);
      await app.task(founder, endeavour, { title: 'A leak' });
      const { body } = await app.as(founder).get(`/organizations/${organization}/alerts?limit=1`).expect(200);
      return get(`/alerts/${body.data[0].id}`);
    },
  },
  {
    operation: 'organizations_archive_preview',
    at: 'organization',
    success: 200,
    ask: ({ organization }) => get(`/organizations/${organization}/archive`),
  },
  {
    operation: 'organizations_archive',
    at: 'organization',
    success: 200,
    ask: async (world) => post(`/organizations/${await copyOrganization(world)}/archive`, { reason: 'It is over' }),
  },
  {
    operation: 'organizations_unarchive',
    at: 'organization',
    success: 200,
    ask: async (world) => {
      const id = await copyOrganization(world);
      await world.app.as(world.founder).post(`/organizations/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return post(`/organizations/${id}/unarchive`);
    },
  },
  {
    operation: 'organizations_delete',
    at: 'organization',
    success: 202,
    ask: async (world) => {
      const id = await copyOrganization(world);
      await world.app.as(world.founder).post(`/organizations/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return del(`/organizations/${id}?confirm=Riverside`);
    },
  },
  {
    operation: 'organizations_export',
    at: 'organization',
    success: 200,
    ask: async (world) => get(`/organizations/${await copyOrganization(world)}/export`),
  },
];
