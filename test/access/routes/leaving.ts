import type { World } from '../callers.js';
import { everyCaller, get, post, type ApiRequest, type Row } from '../rows.js';

/** A redaction of the latest change of the entity. */
async function redaction({ app }: World, id: string): Promise<ApiRequest> {
  const [{ change }] = await app.database.query<{ change: string }>(
    'SELECT id AS change FROM events WHERE entity_id = $1 ORDER BY sequence DESC LIMIT 1',
    [id],
  );
  return post(`/changes/${change}/redact`, { field: 'description', reason: 'A password' });
}

export const LEAVING: readonly Row[] = [
  { operation: 'auth_my_data_get', scope: null, success: 200, request: () => get('/auth/my-data') },
  {
    operation: 'changes_redact',
    when: 'in an endeavour',
    scope: 'endeavour',
    success: 200,
    request: (world) => redaction(world, world.endeavour),
    exceptions: everyCaller(403, {
      outsider: 404,
      'former member': 404,
      'organization owner': 200,
      administrator: 200,
    }),
  },
  {
    operation: 'changes_redact',
    when: 'in an organization',
    scope: 'organization',
    success: 200,
    request: (world) => redaction(world, world.organization),
    exceptions: { 'organization guest': 403, 'organization member': 403, 'organization admin': 403 },
  },
];
