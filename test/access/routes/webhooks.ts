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
  { operation: 'webhooks_list', at: null, success: 200, ask: () => get('/webhooks') },
  {
    operation: 'webhooks_create',
    when: 'of an endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => {
      await makeRoom(world);
      return post('/webhooks', { url: URL, endeavour_id: world.endeavour });
    },
  },
  {
    operation: 'webhooks_create',
    when: 'of an organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: async (world) => {
      await makeRoom(world);
      return post('/webhooks', { url: URL, organization_id: world.organization });
    },
  },
  {
    operation: 'webhooks_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/webhooks/${await freshWebhook(world)}`),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_update',
    at: 'endeavour',
    success: 200,
    ask: async (world, caller) => patch(`/webhooks/${await freshWebhook(world)}`, { description: caller }),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_delete',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/webhooks/${await freshWebhook(world)}`),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_rotate_secret',
    at: 'endeavour',
    success: 200,
    ask: async (world) => post(`/webhooks/${await freshWebhook(world)}/rotate-secret`),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_test',
    at: 'endeavour',
    success: 201,
    ask: async (world) => post(`/webhooks/${await freshWebhook(world)}/test`),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_list',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/webhooks/${await freshWebhook(world)}/deliveries`),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(await delivery(world)),
    but: ADMINS_ONLY,
  },
  {
    operation: 'webhooks_deliveries_redeliver',
    at: 'endeavour',
    success: 201,
    ask: async (world) => post(`${await delivery(world)}/redeliver`),
    but: ADMINS_ONLY,
  },
];
