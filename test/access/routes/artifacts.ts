import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const body = ({ endeavour }: World): object => ({ kind: 'doc', title: 'Plan', endeavour_id: endeavour });
const artifact = (world: World): Promise<string> => made(world, world.founder, '/artifacts', body(world));
const file = (world: World): Promise<string> =>
  made(world, world.founder, '/artifacts', { ...body(world), kind: 'file' });
const UPLOAD = { length: 8, sha256: 'ab'.repeat(32) };

export const ARTIFACTS: readonly Row[] = [
  { operation: 'artifacts_list', scope: null, success: 200, request: () => get('/artifacts') },
  {
    operation: 'artifacts_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: (world) => post('/artifacts', body(world)),
  },
  {
    operation: 'artifacts_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/artifacts/${await artifact(world)}`),
  },
  {
    operation: 'artifacts_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/artifacts/${await artifact(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'artifacts_upload',
    scope: 'endeavour',
    // The service of the matrix has no store.
    success: 409,
    request: async (world) => post(`/artifacts/${await file(world)}/upload`, UPLOAD),
  },
  {
    operation: 'artifacts_create',
    when: 'with an upload',
    scope: 'endeavour',
    inBody: true,
    success: 409,
    request: ({ endeavour }) =>
      post('/artifacts', { kind: 'file', title: 'Plan', endeavour_id: endeavour, upload: UPLOAD }),
  },
  {
    operation: 'artifacts_upload_complete',
    scope: 'endeavour',
    success: 409,
    request: async (world) => post(`/artifacts/${await file(world)}/upload/complete`),
  },
  {
    operation: 'artifacts_file_get',
    scope: 'endeavour',
    success: 409,
    request: async (world) => get(`/artifacts/${await file(world)}/file`),
  },
  {
    operation: 'artifacts_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/artifacts/${await artifact(world)}`),
  },
];
