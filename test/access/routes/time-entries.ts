import type { CallerName, World } from '../callers.js';
import { del, get, made, partners, patch, post, type Row } from '../rows.js';

const WORK = { minutes: 90, day: '2026-11-20' };
const body = async ({ app, founder, endeavour }: World, more: object = {}): Promise<object> => ({
  task_id: await app.task(founder, endeavour),
  ...WORK,
  ...more,
});

/** A time entry of the founder. */
const path = async (world: World): Promise<string> =>
  `/time-entries/${await made(world, world.founder, '/time-entries', await body(world))}`;

/** A time entry of the caller. */
async function ownPath(world: World, caller: CallerName): Promise<string> {
  const own = await path(world);
  await world.app.database.query('UPDATE time_entries SET resource_id = $2 WHERE id = $1', [
    own.replace('/time-entries/', ''),
    world.callers[caller].resourceId,
  ]);
  return own;
}

/** The members who can change only their own time. */
const MEMBERS = {
  'organization guest': 403,
  'organization member': 403,
  'endeavour viewer': 403,
  'endeavour member': 403,
  ...partners(403),
};

export const TIME_ENTRIES: readonly Row[] = [
  { operation: 'time_entries_list', scope: null, success: 200, request: () => get('/time-entries') },
  {
    operation: 'time_entries_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/time-entries', await body(world)),
  },
  {
    operation: 'time_entries_create',
    when: 'of another person',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) =>
      post('/time-entries', await body(world, { resource_id: world.callers['endeavour member'].resourceId })),
    exceptions: { ...MEMBERS, 'endeavour member': 201 },
  },
  {
    operation: 'time_entries_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(await path(world)),
  },
  {
    operation: 'time_entries_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(await path(world), { minutes: 60 }),
    exceptions: MEMBERS,
  },
  {
    operation: 'time_entries_update',
    when: 'of oneself',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => patch(await ownPath(world, caller), { minutes: 60 }),
  },
  {
    operation: 'time_entries_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(await path(world)),
    exceptions: MEMBERS,
  },
  {
    operation: 'time_entries_delete',
    when: 'of oneself',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => del(await ownPath(world, caller)),
  },
];
