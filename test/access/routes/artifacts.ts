import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const body = ({ endeavour }: World): object => ({ kind: 'doc', title: 'Plan', endeavour_id: endeavour });
const artifact = (world: World): Promise<string> => made(world, world.founder, '/artifacts', body(world));

export const ARTIFACTS: readonly Row[] = [
  { operation: 'artifacts_list', at: null, success: 200, ask: () => get('/artifacts') },
  {
    operation: 'artifacts_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: (world) => post('/artifacts', body(world)),
  },
  {
    operation: 'artifacts_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/artifacts/${await artifact(world)}`),
  },
  {
    operation: 'artifacts_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/artifacts/${await artifact(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'artifacts_delete',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/artifacts/${await artifact(world)}`),
  },
];
