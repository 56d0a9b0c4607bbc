import type { World } from '../callers.js';
import { del, get, made, partners, patch, post, type Row } from '../rows.js';

const URL = 'https://hooks.example.com/worksmith';

const webhook = (world: World): Promise<string> =>
  made(world, world.founder, '/webhooks', { url: URL, endeavour_id: world.endeavour, is_enabled: false });

/** Deletes all webhooks, because the matrix creates more than a container may have. */
async function makeRoom({ app }: World): Promise<void> {
  await app.database.query(`UPDATE webhooks SET deleted_at = now(), is_enabled = false WHERE deleted_at IS NULL`);
  await app.database.query(`UPDATE entities SET deleted_at = now() WHERE kind = 'webhook' AND deleted_at IS NULL`);
}

async function freshWebhook(world: World): Promise<string> {
  await makeRoom(world);
  return webhook(world);
}

async function delivery(world: World): Promise<string> {
  const id = await freshWebhook(world);
  return `/webhooks/${id}/deliveries/${await made(world, world.founder, `/webhooks/${id}/test`, {})}`;
}

/** Admins of the container can see it; other callers get 404. */
const ADMINS_ONLY = {
  'organization guest': 404,
  'organization member': 404,
  'endeavour viewer': 404,
  'endeavour member': 404,
  ...partners(404),
};

export const WEBHOOKS: readonly Row[] = [
  { operation: 'webhooks_list', scope: null, success: 200, request: () => get('/webhooks') },
  {
    operation: 'webhooks_create',
    when: 'of an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => {
      await makeRoom(world);
      return post('/webhooks', { url: URL, endeavour_id: world.endeavour });
    },
  },
  {
    operation: 'webhooks_create',
    when: 'of an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) => {
      await makeRoom(world);
      return post('/webhooks', { url: URL, organization_id: world.organization });
    },
  },
  {
    operation: 'webhooks_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/webhooks/${await freshWebhook(world)}`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_update',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => patch(`/webhooks/${await freshWebhook(world)}`, { description: caller }),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/webhooks/${await freshWebhook(world)}`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_rotate_secret',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/webhooks/${await freshWebhook(world)}/rotate-secret`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_test',
    scope: 'endeavour',
    success: 201,
    request: async (world) => post(`/webhooks/${await freshWebhook(world)}/test`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/webhooks/${await freshWebhook(world)}/deliveries`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(await delivery(world)),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_redeliver',
    scope: 'endeavour',
    success: 201,
    request: async (world) => post(`${await delivery(world)}/redeliver`),
    exceptions: ADMINS_ONLY,
  },
];
