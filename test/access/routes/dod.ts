import type { Person } from '../../support/test-app.js';
import type { World } from '../callers.js';
import { del, everyCaller, get, made, post, type Row } from '../rows.js';
import { builtIn, copyEndeavour } from '../fixtures.js';

const task = (world: World): Promise<string> => world.app.task(world.founder, world.endeavour);
const minimal = (world: World): Promise<string> => builtIn(world, 'dod_policies');

async function assign(world: World, person: Person, endeavour: string): Promise<void> {
  const sent = { policy_id: await minimal(world) };
  await world.app.as(person).post(`/endeavours/${endeavour}/dod-policy`).send(sent).expect(200);
}

/** A copy of the world's endeavour with an assigned policy. */
async function bound(world: World): Promise<string> {
  const id = await copyEndeavour(world);
  await assign(world, world.founder, id);
  return id;
}

const endorsement = async (world: World): Promise<string> =>
  made(world, world.founder, '/dod-endorsements', { endeavour_id: await bound(world) });

export const DOD: readonly Row[] = [
  {
    operation: 'endeavours_dod_policy_set',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/endeavours/${world.endeavour}/dod-policy`, { policy_id: await minimal(world) }),
  },
  {
    operation: 'endeavours_dod_policy_remove',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/endeavours/${await bound(world)}/dod-policy`),
  },
  {
    operation: 'endeavours_dod_status_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/endeavours/${await bound(world)}/dod-status`),
  },
  {
    operation: 'tasks_dod_check_run',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/tasks/${await task(world)}/dod-check`),
  },
  {
    operation: 'tasks_dod_checks_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks/${await task(world)}/dod-checks`),
  },
  {
    operation: 'tasks_dod_override_set',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/tasks/${await task(world)}/dod-override`, { reason: 'The client accepted it' }),
  },
  {
    operation: 'tasks_dod_override_remove',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/tasks/${await task(world)}/dod-override`),
  },
  {
    operation: 'tasks_dod_results_create',
    scope: 'endeavour',
    success: 201,
    request: async (world) => post(`/tasks/${await task(world)}/dod-results`, { name: 'scan', passed: true }),
  },

  {
    operation: 'tasks_dod_results_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks/${await task(world)}/dod-results`),
  },
  {
    operation: 'dod_results_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const result = { name: 'scan', passed: true };
      return get(`/dod-results/${await made(world, world.founder, `/tasks/${await task(world)}/dod-results`, result)}`);
    },
  },
  {
    operation: 'dod_checks_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const path = `/tasks/${await task(world)}/dod-check`;
      const { body } = await world.app.as(world.founder).post(path).expect(200);
      return get(`/dod-checks/${body.data.id}`);
    },
  },

  { operation: 'dod_endorsements_list', scope: null, success: 200, request: () => get('/dod-endorsements') },
  {
    operation: 'dod_endorsements_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/dod-endorsements', { endeavour_id: await bound(world) }),
  },
  {
    operation: 'dod_endorsements_bulk',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/dod-endorsements/bulk', { endorsements: [{ endeavour_id: await bound(world) }] }),
  },
  {
    operation: 'dod_endorsements_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/dod-endorsements/${await endorsement(world)}`),
  },
  {
    operation: 'dod_endorsements_delete',
    when: 'of another user',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/dod-endorsements/${await endorsement(world)}`),
    exceptions: everyCaller(403, { outsider: 404, 'former member': 404 }),
  },
  {
    operation: 'dod_endorsements_delete',
    when: 'of its own',
    scope: null,
    success: 200,
    request: async (world, caller) => {
      const person = world.callers[caller];
      const endeavour = await world.app.endeavour(person);
      await assign(world, person, endeavour);
      return del(`/dod-endorsements/${await made(world, person, '/dod-endorsements', { endeavour_id: endeavour })}`);
    },
  },
];
