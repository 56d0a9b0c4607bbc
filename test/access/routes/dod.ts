import type { Person } from '../../support/test-app.js';
import type { World } from '../callers.js';
import { del, everyCaller, get, made, post, type Row } from '../rows.js';
import { builtIn, copyEndeavour } from '../twins.js';

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
    operation: 'dod_policy_assign',
    at: 'endeavour',
    success: 200,
    ask: async (world) => post(`/endeavours/${world.endeavour}/dod-policy`, { policy_id: await minimal(world) }),
  },
  {
    operation: 'dod_policy_unassign',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/endeavours/${await bound(world)}/dod-policy`),
  },
  {
    operation: 'dod_status',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/endeavours/${await bound(world)}/dod-status`),
  },
  {
    operation: 'dod_check',
    at: 'endeavour',
    success: 200,
    ask: async (world) => post(`/tasks/${await task(world)}/dod-check`),
  },
  {
    operation: 'dod_checks_list',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/tasks/${await task(world)}/dod-checks`),
  },
  {
    operation: 'dod_override',
    at: 'endeavour',
    success: 200,
    ask: async (world) => post(`/tasks/${await task(world)}/dod-override`, { reason: 'The client accepted it' }),
  },
  {
    operation: 'dod_override_lift',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/tasks/${await task(world)}/dod-override`),
  },
  {
    operation: 'dod_results_post',
    at: 'endeavour',
    success: 201,
    ask: async (world) => post(`/tasks/${await task(world)}/dod-results`, { name: 'scan', passed: true }),
  },

  {
    operation: 'dod_results_list',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/tasks/${await task(world)}/dod-results`),
  },
  {
    operation: 'dod_results_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => {
      const result = { name: 'scan', passed: true };
      return get(`/dod-results/${await made(world, world.founder, `/tasks/${await task(world)}/dod-results`, result)}`);
    },
  },
  {
    operation: 'dod_checks_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => {
      const path = `/tasks/${await task(world)}/dod-check`;
      const { body } = await world.app.as(world.founder).post(path).expect(200);
      return get(`/dod-checks/${body.data.id}`);
    },
  },

  { operation: 'dod_endorsements_list', at: null, success: 200, ask: () => get('/dod-endorsements') },
  {
    operation: 'dod_endorsements_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post('/dod-endorsements', { endeavour_id: await bound(world) }),
  },
  {
    operation: 'dod_endorsements_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/dod-endorsements/${await endorsement(world)}`),
  },
  {
    operation: 'dod_endorsements_withdraw',
    when: 'of another user',
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/dod-endorsements/${await endorsement(world)}`),
    but: everyCaller(403, { outsider: 404, 'former member': 404 }),
  },
  {
    operation: 'dod_endorsements_withdraw',
    when: 'of its own',
    at: null,
    success: 200,
    ask: async (world, caller) => {
      const person = world.callers[caller];
      const endeavour = await world.app.endeavour(person);
      await assign(world, person, endeavour);
      return del(`/dod-endorsements/${await made(world, person, '/dod-endorsements', { endeavour_id: endeavour })}`);
    },
  },
];
