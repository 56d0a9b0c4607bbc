import type { World } from '../callers.js';
import { del, get, made, patch, post, type Row } from '../rows.js';

const body = ({ endeavour }: World): object => ({
  name: 'First',
  endeavour_id: endeavour,
  start_day: '2026-01-05',
  end_day: '2026-01-16',
});
const path = async (world: World): Promise<string> =>
  `/iterations/${await made(world, world.founder, '/iterations', body(world))}`;

/** An endeavour has one active iteration, so that of the caller before makes room. */
async function active(world: World): Promise<string> {
  await world.app.database.query(
    `UPDATE iterations SET status = 'closed', closed_at = now() WHERE endeavour_id = $1 AND status = 'active'`,
    [world.endeavour],
  );
  const own = await path(world);
  await world.app.as(world.founder).patch(own).send({ status: 'active' }).expect(200);
  return own;
}

export const ITERATIONS: readonly Row[] = [
  { operation: 'iterations_list', scope: null, success: 200, request: () => get('/iterations') },
  {
    operation: 'iterations_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: (world) => post('/iterations', body(world)),
  },
  { operation: 'iterations_get', scope: 'endeavour', success: 200, request: async (world) => get(await path(world)) },
  {
    operation: 'iterations_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(await path(world), { name: 'Changed' }),
  },
  {
    operation: 'iterations_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(await path(world)),
  },
  {
    operation: 'iterations_close',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`${await active(world)}/close`, { carry_over: 'backlog' }),
  },
  {
    operation: 'iterations_report_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`${await path(world)}/report`),
  },
];
