import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const BODY = { name: 'First', kind: 'task', query: { status: 'planned' } };
const body = ({ endeavour }: World): object => ({ ...BODY, endeavour_id: endeavour });
const path = async (world: World): Promise<string> =>
  `/views/${await made(world, world.founder, '/views', body(world))}`;

export const VIEWS: readonly Row[] = [
  { operation: 'views_list', scope: null, success: 200, request: () => get('/views') },
  {
    operation: 'views_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: (world) => post('/views', body(world)),
  },
  { operation: 'views_create', when: 'for oneself', scope: null, success: 201, request: () => post('/views', BODY) },
  { operation: 'views_get', scope: 'endeavour', success: 200, request: async (world) => get(await path(world)) },
  {
    operation: 'views_count_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`${await path(world)}/count`),
  },
  {
    operation: 'tasks_list',
    when: 'of a view',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks?view=${(await path(world)).replace('/views/', '')}`),
  },
  {
    operation: 'views_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(await path(world), { name: 'Changed' }),
  },
  { operation: 'views_delete', scope: 'endeavour', success: 200, request: async (world) => del(await path(world)) },
];
