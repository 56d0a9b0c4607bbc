import type { Row } from './rows.js';
import type { World } from './callers.js';

const task = (world: World, more: object = {}): Promise<string> =>
  world.house.task(world.founder, world.endeavour, more);

/** One row per operation; the callers and what each may expect are the matrix's affair. */
export const ROWS: readonly Row[] = [
  {
    operation: 'organizations_list',
    at: null,
    ask: () => ({ method: 'get', path: '/organizations' }),
    success: 200,
  },
  {
    operation: 'organizations_create',
    at: null,
    ask: () => ({ method: 'post', path: '/organizations', body: { name: 'Another' } }),
    success: 201,
  },
  {
    operation: 'organizations_get',
    at: 'organization',
    ask: (world) => ({ method: 'get', path: `/organizations/${world.organization}` }),
    success: 200,
  },
  {
    operation: 'organizations_update',
    at: 'organization',
    ask: (world, caller) => ({
      method: 'patch',
      path: `/organizations/${world.organization}`,
      body: { description: caller },
    }),
    success: 200,
  },
  {
    operation: 'endeavours_list',
    at: null,
    ask: () => ({ method: 'get', path: '/endeavours' }),
    success: 200,
  },
  {
    operation: 'endeavours_create',
    at: null,
    ask: () => ({ method: 'post', path: '/endeavours', body: { name: 'Another' } }),
    success: 201,
  },
  {
    operation: 'endeavours_get',
    at: 'endeavour',
    ask: (world) => ({ method: 'get', path: `/endeavours/${world.endeavour}` }),
    success: 200,
  },
  {
    operation: 'endeavours_update',
    at: 'endeavour',
    ask: (world, caller) => ({
      method: 'patch',
      path: `/endeavours/${world.endeavour}`,
      body: { description: caller },
    }),
    success: 200,
  },
  {
    operation: 'tasks_list',
    at: null,
    ask: () => ({ method: 'get', path: '/tasks' }),
    success: 200,
  },
  {
    operation: 'tasks_create',
    at: 'endeavour',
    inBody: true,
    ask: (world) => ({ method: 'post', path: '/tasks', body: { title: 'Paint', endeavour_id: world.endeavour } }),
    success: 201,
  },
  {
    operation: 'tasks_get',
    at: 'endeavour',
    ask: async (world) => ({ method: 'get', path: `/tasks/${await task(world)}` }),
    success: 200,
  },
  {
    operation: 'tasks_update',
    at: 'endeavour',
    ask: async (world) => ({ method: 'patch', path: `/tasks/${await task(world)}`, body: { title: 'Changed' } }),
    success: 200,
  },
  {
    operation: 'tasks_transitions',
    at: 'endeavour',
    ask: async (world) => ({ method: 'get', path: `/tasks/${await task(world)}/transitions` }),
    success: 200,
  },
];
