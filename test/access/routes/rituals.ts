import { PERSONAL_OWNER, type CallerName, type World } from '../callers.js';
import { get, made, partners, patch, post, type Row } from '../rows.js';
import { builtIn } from '../twins.js';

const ritual = (world: World): Promise<string> =>
  made(world, world.founder, '/rituals', { name: 'Morning round', endeavour_id: world.endeavour });
const personal = (world: World): Promise<string> =>
  made(world, world.callers[PERSONAL_OWNER], '/rituals', { name: 'Evening round' });
const run = async (world: World): Promise<string> =>
  made(world, world.founder, '/ritual-runs', { ritual_id: await ritual(world) });

const BELOW_ADMIN: Partial<Record<CallerName, number>> = {
  'organization guest': 403,
  'organization member': 403,
  'endeavour viewer': 403,
  'endeavour member': 403,
  ...partners(403),
};

export const RITUALS: readonly Row[] = [
  { operation: 'rituals_list', at: null, success: 200, ask: () => get('/rituals') },
  { operation: 'rituals_create', at: null, success: 201, ask: () => post('/rituals', { name: 'Evening round' }) },
  {
    operation: 'rituals_create',
    when: 'in an endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ endeavour }) => post('/rituals', { name: 'Morning round', endeavour_id: endeavour }),
  },
  {
    operation: 'rituals_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/rituals/${await ritual(world)}`),
  },
  {
    operation: 'rituals_get',
    when: 'of a personal one',
    at: 'person',
    success: 200,
    ask: async (world) => get(`/rituals/${await personal(world)}`),
  },
  {
    operation: 'rituals_get',
    when: 'of a built-in one',
    at: 'everywhere',
    success: 200,
    ask: async (world) => get(`/rituals/${await builtIn(world, 'rituals')}`),
  },
  {
    operation: 'rituals_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/rituals/${await ritual(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_update',
    when: 'of a personal one',
    at: 'person',
    success: 200,
    ask: async (world) => patch(`/rituals/${await personal(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_update',
    when: 'of a built-in one',
    at: 'everywhere',
    success: 409,
    ask: async (world) => patch(`/rituals/${await builtIn(world, 'rituals')}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_fork',
    at: 'endeavour',
    success: 201,
    ask: async (world) => post(`/rituals/${await ritual(world)}/fork`),
  },
  {
    operation: 'rituals_fork',
    when: 'of a built-in one',
    at: 'everywhere',
    success: 201,
    ask: async (world) => post(`/rituals/${await builtIn(world, 'rituals')}/fork`),
  },
  {
    operation: 'rituals_fork',
    when: 'into an endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post(`/rituals/${await builtIn(world, 'rituals')}/fork`, { endeavour_id: world.endeavour }),
    but: BELOW_ADMIN,
  },
  {
    operation: 'rituals_fork',
    when: 'into an organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: async (world) =>
      post(`/rituals/${await builtIn(world, 'rituals')}/fork`, { organization_id: world.organization }),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'rituals_lineage',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/rituals/${await ritual(world)}/lineage`),
  },
  {
    operation: 'rituals_diff',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/rituals/${await ritual(world)}/diff?to=${await builtIn(world, 'rituals')}`),
  },
  {
    operation: 'rituals_occurrences',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/rituals/${await ritual(world)}/occurrences`),
  },

  { operation: 'ritual_runs_list', at: null, success: 200, ask: () => get('/ritual-runs') },
  {
    operation: 'ritual_runs_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post('/ritual-runs', { ritual_id: await ritual(world) }),
  },
  {
    operation: 'ritual_runs_create',
    when: 'of a personal one',
    at: 'person',
    inBody: true,
    success: 201,
    ask: async (world) => post('/ritual-runs', { ritual_id: await personal(world) }),
  },
  {
    operation: 'ritual_runs_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/ritual-runs/${await run(world)}`),
  },
  {
    operation: 'ritual_runs_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/ritual-runs/${await run(world)}`, { status: 'succeeded' }),
  },
];
