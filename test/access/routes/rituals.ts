import { rankOf } from '../../../src/common/roles.js';
import { PERSONAL_OWNER, rankAt, type CallerName, type World } from '../callers.js';
import { get, made, partners, patch, post, type Row } from '../rows.js';
import { builtIn } from '../fixtures.js';

const ritual = (world: World): Promise<string> =>
  made(world, world.founder, '/rituals', { name: 'Morning round', endeavour_id: world.endeavour });
const personal = (world: World): Promise<string> =>
  made(world, world.callers[PERSONAL_OWNER], '/rituals', { name: 'Evening round' });
const run = async (world: World, claimer = world.founder): Promise<string> =>
  made(world, claimer, '/ritual-runs', { ritual_id: await ritual(world) });

const BELOW_ADMIN: Partial<Record<CallerName, number>> = {
  'organization guest': 403,
  'organization member': 403,
  'endeavour viewer': 403,
  'endeavour member': 403,
  ...partners(403),
};

export const RITUALS: readonly Row[] = [
  { operation: 'rituals_list', scope: null, success: 200, request: () => get('/rituals') },
  {
    operation: 'rituals_create',
    scope: null,
    success: 201,
    request: () => post('/rituals', { name: 'Evening round' }),
  },
  {
    operation: 'rituals_create',
    when: 'in an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/rituals', { name: 'Morning round', endeavour_id: endeavour }),
  },
  {
    operation: 'rituals_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/rituals/${await ritual(world)}`),
  },
  {
    operation: 'rituals_get',
    when: 'of a personal one',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/rituals/${await personal(world)}`),
  },
  {
    operation: 'rituals_get',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 200,
    request: async (world) => get(`/rituals/${await builtIn(world, 'rituals')}`),
  },
  {
    operation: 'rituals_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/rituals/${await ritual(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_update',
    when: 'of a personal one',
    scope: 'person',
    success: 200,
    request: async (world) => patch(`/rituals/${await personal(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_update',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 409,
    request: async (world) => patch(`/rituals/${await builtIn(world, 'rituals')}`, { name: 'Changed' }),
  },
  {
    operation: 'rituals_fork',
    scope: 'endeavour',
    success: 201,
    request: async (world) => post(`/rituals/${await ritual(world)}/fork`),
  },
  {
    operation: 'rituals_fork',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 201,
    request: async (world) => post(`/rituals/${await builtIn(world, 'rituals')}/fork`),
  },
  {
    operation: 'rituals_fork',
    when: 'into an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) =>
      post(`/rituals/${await builtIn(world, 'rituals')}/fork`, { endeavour_id: world.endeavour }),
    exceptions: BELOW_ADMIN,
  },
  {
    operation: 'rituals_fork',
    when: 'into an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) =>
      post(`/rituals/${await builtIn(world, 'rituals')}/fork`, { organization_id: world.organization }),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'rituals_lineage_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/rituals/${await ritual(world)}/lineage`),
  },
  {
    operation: 'rituals_diff_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/rituals/${await ritual(world)}/diff?to=${await builtIn(world, 'rituals')}`),
  },
  {
    operation: 'rituals_occurrences_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/rituals/${await ritual(world)}/occurrences`),
  },

  { operation: 'ritual_runs_list', scope: null, success: 200, request: () => get('/ritual-runs') },
  {
    operation: 'ritual_runs_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/ritual-runs', { ritual_id: await ritual(world) }),
  },
  {
    operation: 'ritual_runs_create',
    when: 'of a personal one',
    scope: 'person',
    inBody: true,
    success: 201,
    request: async (world) => post('/ritual-runs', { ritual_id: await personal(world) }),
  },
  {
    operation: 'ritual_runs_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/ritual-runs/${await run(world)}`),
  },
  {
    operation: 'ritual_runs_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/ritual-runs/${await run(world)}`, { status: 'succeeded' }),
    // Another person has claimed it.
    exceptions: { 'organization member': 403, 'endeavour member': 403, ...partners(403) },
  },
  {
    operation: 'ritual_runs_update',
    when: 'that the caller has claimed',
    scope: 'endeavour',
    success: 200,
    request: async (world, name) => {
      const claimer = rankAt(name, 'endeavour') < rankOf('member') ? world.founder : world.callers[name];
      return patch(`/ritual-runs/${await run(world, claimer)}`, { status: 'succeeded' });
    },
  },
];
