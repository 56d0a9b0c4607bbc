import { newId } from '../../../src/common/ids.js';
import type { CallerName, World } from '../callers.js';
import { get, partners, patch, post, type Row } from '../rows.js';

const task = (world: World, more: object = {}): Promise<string> => world.app.task(world.founder, world.endeavour, more);
const demand = (world: World): Promise<string> => world.app.demand(world.founder, world.endeavour);

/** A notification of the caller about their own user, which every caller can see. */
async function notification(world: World, caller: CallerName): Promise<string> {
  const { id, resourceId } = world.callers[caller];
  const own = newId('notification');
  await world.app.database.query(
    `INSERT INTO notifications (id, user_id, entity_id, entity_type, day, kinds, occurred_at)
     VALUES ($1, $2, $3, 'resource', current_date + (SELECT count(*) FROM notifications)::integer, '{comment}', now())`,
    [own, id, resourceId],
  );
  return own;
}

const cancel = { status: 'canceled', canceled_reason: 'No longer needed' };

/** Members can change work, but cannot cancel that of others. */
const NOT_MEMBERS: Partial<Record<CallerName, number>> = {
  'organization member': 403,
  'endeavour member': 403,
  ...partners(403),
};

export const WORK: readonly Row[] = [
  { operation: 'demands_list', at: null, success: 200, ask: () => get('/demands') },
  {
    operation: 'demands_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ endeavour }) => post('/demands', { type: 'story', title: 'More shade', endeavour_id: endeavour }),
  },
  {
    operation: 'demands_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/demands/${await demand(world)}`),
  },
  {
    operation: 'demands_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/demands/${await demand(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'demands_update',
    when: 'to cancel',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/demands/${await demand(world)}`, cancel),
    but: NOT_MEMBERS,
  },
  {
    operation: 'demands_update',
    when: 'to another owner',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/demands/${await demand(world)}`, { owner_id: world.bystander.id }),
    but: NOT_MEMBERS,
  },

  { operation: 'tasks_list', at: null, success: 200, ask: () => get('/tasks') },
  { operation: 'tasks_summary', at: null, success: 200, ask: () => get('/tasks/summary') },
  {
    operation: 'tasks_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ endeavour }) => post('/tasks', { title: 'Paint', endeavour_id: endeavour }),
  },
  {
    operation: 'tasks_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/tasks/${await task(world)}`),
  },
  {
    operation: 'tasks_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/tasks/${await task(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'tasks_update',
    when: 'to cancel',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/tasks/${await task(world)}`, cancel),
    but: NOT_MEMBERS,
  },
  {
    operation: 'tasks_update',
    when: 'to cancel as its assignee',
    at: 'endeavour',
    success: 200,
    ask: async (world, caller) => {
      const id = await task(world);
      await world.app.database.query('UPDATE tasks SET assignee_id = $2 WHERE id = $1', [
        id,
        world.callers[caller].resourceId,
      ]);
      return patch(`/tasks/${id}`, cancel);
    },
  },
  {
    operation: 'tasks_update',
    when: 'to another owner',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/tasks/${await task(world)}`, { owner_id: world.bystander.id }),
    but: NOT_MEMBERS,
  },
  {
    operation: 'tasks_update',
    when: 'into another endeavour',
    at: 'endeavour',
    success: 200,
    ask: async (world, caller) => {
      const elsewhere = await world.app.endeavour(world.callers[caller]);
      return patch(`/tasks/${await task(world)}`, { endeavour_id: elsewhere, owner_id: 'me' });
    },
    // The new endeavour has no home, so the admins of the current home decide.
    but: { ...NOT_MEMBERS, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'tasks_claim',
    at: 'endeavour',
    inBody: true,
    success: 200,
    ask: ({ endeavour }) => post('/tasks/claim', { endeavour_id: endeavour, filter: { overdue: true } }),
  },
  {
    operation: 'tasks_bulk',
    at: 'endeavour',
    inBody: true,
    success: 202,
    ask: ({ endeavour }) =>
      post('/tasks/bulk', { filter: { endeavour_id: endeavour, overdue: true }, changes: { status: 'active' } }),
  },
  { operation: 'work_list', at: null, success: 200, ask: () => get('/work') },
  { operation: 'search_list', at: null, success: 200, ask: () => get('/search?q=garden') },
  { operation: 'notifications_list', at: null, success: 200, ask: () => get('/notifications') },
  {
    operation: 'notifications_get',
    at: null,
    success: 200,
    ask: async (world, caller) => get(`/notifications/${await notification(world, caller)}`),
  },
  {
    operation: 'notifications_update',
    at: null,
    success: 200,
    ask: async (world, caller) => patch(`/notifications/${await notification(world, caller)}`, { read: true }),
  },
  {
    operation: 'notifications_mark_read',
    at: null,
    success: 200,
    ask: () => post('/notifications/read', { all: true }),
  },
  {
    operation: 'tasks_review_requests',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      post(`/tasks/${await task(world)}/review-requests`, { resource_ids: [world.bystander.resourceId] }),
  },
  {
    operation: 'tasks_dependencies',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/tasks/${await task(world)}/dependencies`),
  },
  {
    operation: 'tasks_diff',
    at: 'endeavour',
    success: 200,
    ask: async (world) => {
      const path = `/tasks/${await task(world)}/diff?from=0`;
      // Gives the events of the task their sequences, as any reader of the feed does.
      await world.app.as(world.founder).get('/changes?after=now').expect(200);
      return get(path);
    },
  },
  {
    operation: 'endeavours_dependencies',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/dependencies`),
  },
  {
    operation: 'endeavours_progress',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/progress`),
  },
  {
    operation: 'endeavours_load',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/load`),
  },
  {
    operation: 'endeavours_calendar',
    at: 'endeavour',
    success: 200,
    ask: ({ endeavour }) => get(`/endeavours/${endeavour}/calendar.ics`),
  },
  {
    operation: 'tasks_transitions',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/tasks/${await task(world)}/transitions`),
  },
];
