import { del, get, patch, post, put, type Row } from '../rows.js';
import { copyOrganization } from '../fixtures.js';

export const ORGANIZATIONS: readonly Row[] = [
  { operation: 'organizations_list', scope: null, success: 200, request: () => get('/organizations') },
  {
    operation: 'organizations_create',
    scope: null,
    success: 201,
    request: () => post('/organizations', { name: 'Another' }),
  },
  {
    operation: 'organizations_get',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}`),
  },
  {
    operation: 'organizations_update',
    scope: 'organization',
    success: 200,
    request: ({ organization }, caller) => patch(`/organizations/${organization}`, { description: caller }),
  },
  {
    operation: 'organizations_alert_terms_list',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/alert-terms`),
  },
  {
    operation: 'organizations_alert_terms_replace',
    scope: 'organization',
    success: 200,
    request: ({ organization }, caller) => put(`/organizations/${organization}/alert-terms`, { terms: [caller] }),
  },
  {
    operation: 'organizations_alerts_list',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/alerts`),
  },
  {
    operation: 'alerts_get',
    scope: 'organization',
    success: 200,
    request: async ({ app, founder, organization, endeavour }) => {
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
    operation: 'organizations_archive_get',
    scope: 'organization',
    success: 200,
    request: ({ organization }) => get(`/organizations/${organization}/archive`),
  },
  {
    operation: 'organizations_archive',
    scope: 'organization',
    success: 200,
    request: async (world) => post(`/organizations/${await copyOrganization(world)}/archive`, { reason: 'It is over' }),
  },
  {
    operation: 'organizations_unarchive',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const id = await copyOrganization(world);
      await world.app.as(world.founder).post(`/organizations/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return post(`/organizations/${id}/unarchive`);
    },
  },
  {
    operation: 'organizations_delete',
    scope: 'organization',
    success: 202,
    request: async (world) => {
      const id = await copyOrganization(world);
      await world.app.as(world.founder).post(`/organizations/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      return del(`/organizations/${id}?confirm=Riverside`);
    },
  },
  {
    operation: 'organizations_erasure_delete',
    scope: 'organization',
    success: 200,
    request: async (world) => {
      const id = await copyOrganization(world);
      const founder = world.app.as(world.founder);
      await founder.post(`/organizations/${id}/archive`).send({ reason: 'It is over' }).expect(200);
      await founder.delete(`/organizations/${id}?confirm=Riverside`).expect(202);
      return del(`/organizations/${id}/erasure`);
    },
  },
  {
    operation: 'organizations_export_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/organizations/${await copyOrganization(world)}/export`),
  },
];
