import { newId } from '../../../src/common/ids.js';
import type { World } from '../callers.js';
import { get, partners, post, type Row } from '../rows.js';

/** An operation on the world's endeavour that the founder started and no worker carries out. */
async function operation({ app, founder, endeavour }: World): Promise<string> {
  const id = newId('operation');
  await app.database.query(
    `INSERT INTO operations (id, type, user_id, created_by, container_id, is_cancelable)
     VALUES ($1, 'imports', $2, $3, $4, true)`,
    [id, founder.id, founder.resourceId, endeavour],
  );
  return id;
}

/** Admins of the container can see it; other callers get 404. */
const ADMINS_ONLY = {
  'organization guest': 404,
  'organization member': 404,
  'endeavour viewer': 404,
  'endeavour member': 404,
  ...partners(404),
};

export const OPERATIONS: readonly Row[] = [
  { operation: 'operations_list', scope: null, success: 200, request: () => get('/operations') },
  {
    operation: 'operations_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/operations/${await operation(world)}`),
    exceptions: ADMINS_ONLY,
  },
  {
    operation: 'operations_cancel',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/operations/${await operation(world)}/cancel`),
    exceptions: ADMINS_ONLY,
  },
];
