import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const body = ({ endeavour }: World): object => ({ kind: 'doc', title: 'Plan', endeavour_id: endeavour });
const artifact = (world: World): Promise<string> => made(world, world.founder, '/artifacts', body(world));

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
    operation: 'artifacts_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/artifacts/${await artifact(world)}`),
  },
];
