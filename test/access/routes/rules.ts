import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const body = ({ endeavour }: World): object => ({
  name: 'First',
  endeavour_id: endeavour,
  on: ['task.status_changed'],
  actions: [{ comment: { content: 'Seen.' } }],
});
const path = async (world: World): Promise<string> =>
  `/rules/${await made(world, world.founder, '/rules', body(world))}`;

export const RULES: readonly Row[] = [
  { operation: 'rules_list', scope: null, success: 200, request: () => get('/rules') },
  {
    operation: 'rules_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: (world) => post('/rules', body(world)),
  },
  { operation: 'rules_get', scope: 'endeavour', success: 200, request: async (world) => get(await path(world)) },
  {
    operation: 'rules_runs_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`${await path(world)}/runs`),
  },
  {
    operation: 'rules_dry_run',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const rule = await path(world);
      // A trial reads the feed, which gives the event of the new rule its place.
      await world.app.as(world.founder).get('/changes?after=0&limit=1').expect(200);
      return post(`${rule}/dry-run`);
    },
  },
  {
    operation: 'rules_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(await path(world), { name: 'Changed' }),
  },
  { operation: 'rules_delete', scope: 'endeavour', success: 200, request: async (world) => del(await path(world)) },
];
