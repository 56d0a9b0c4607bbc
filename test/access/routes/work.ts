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
  { operation: 'demands_list', scope: null, success: 200, request: () => get('/demands') },
  {
    operation: 'demands_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/demands', { type: 'story', title: 'More shade', endeavour_id: endeavour }),
  },
  {
    operation: 'demands_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/demands/${await demand(world)}`),
  },
  {
    operation: 'demands_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/demands/${await demand(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'demands_rank_set',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/demands/${await demand(world)}/rank`, { first: true }),
  },
  {
    operation: 'demands_move',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => {
      const { app, founder, organization } = world;
      const elsewhere = await app.endeavour(founder);
      await app.link(organization, elsewhere);
      // They see the people of the organization without it; others would see more afterwards.
      if (caller.startsWith('endeavour ')) await app.join(elsewhere, world.callers[caller], 'member');
      return post(`/demands/${await demand(world)}/move`, { endeavour_id: elsewhere, with: 'all' });
    },
  },
  {
    operation: 'demands_move',
    when: 'out of the home',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => {
      const { app } = world;
      const [person, moving] = [world.callers[caller], await demand(world)];
      const part = await task(world, { demand_id: moving });
      // Work moves to where its owner is.
      await app.database.query('UPDATE demands SET owner_id = $2 WHERE id = $1', [moving, person.resourceId]);
      await app.database.query('UPDATE tasks SET owner_id = $2 WHERE id = $1', [part, person.resourceId]);
      return post(`/demands/${moving}/move`, { endeavour_id: await app.endeavour(person), with: 'all' });
    },
    // The new endeavour has no home, so the admins of the current home decide.
    exceptions: { 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'demands_update',
    when: 'to cancel',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/demands/${await demand(world)}`, cancel),
    exceptions: NOT_MEMBERS,
  },
  {
    operation: 'demands_update',
    when: 'to another owner',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/demands/${await demand(world)}`, { owner_id: world.bystander.id }),
    exceptions: NOT_MEMBERS,
  },

  { operation: 'tasks_list', scope: null, success: 200, request: () => get('/tasks') },
  { operation: 'tasks_summary_get', scope: null, success: 200, request: () => get('/tasks/summary') },
  {
    operation: 'tasks_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/tasks', { title: 'Paint', endeavour_id: endeavour }),
  },
  {
    operation: 'tasks_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks/${await task(world)}`),
  },
  {
    operation: 'tasks_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/tasks/${await task(world)}`, { title: 'Changed' }),
  },
  {
    operation: 'tasks_checklist_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const checklist = [{ id: 'sand', text: 'Sand' }];
      return patch(`/tasks/${await task(world, { metadata: { checklist } })}/checklist/sand`, { checked: true });
    },
  },
  {
    operation: 'tasks_rank_set',
    scope: 'endeavour',
    success: 200,
    request: async (world) => post(`/tasks/${await task(world)}/rank`, { first: true }),
  },
  {
    operation: 'tasks_update',
    when: 'to cancel',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/tasks/${await task(world)}`, cancel),
    exceptions: NOT_MEMBERS,
  },
  {
    operation: 'tasks_update',
    when: 'to cancel as its assignee',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => {
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
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/tasks/${await task(world)}`, { owner_id: world.bystander.id }),
    exceptions: NOT_MEMBERS,
  },
  {
    operation: 'tasks_update',
    when: 'into another endeavour',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => {
      const elsewhere = await world.app.endeavour(world.callers[caller]);
      return patch(`/tasks/${await task(world)}`, { endeavour_id: elsewhere, owner_id: 'me' });
    },
    // The new endeavour has no home, so the admins of the current home decide.
    exceptions: { ...NOT_MEMBERS, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'tasks_claim',
    scope: 'endeavour',
    inBody: true,
    success: 200,
    request: ({ endeavour }) => post('/tasks/claim', { endeavour_id: endeavour, filter: { overdue: true } }),
  },
  {
    operation: 'tasks_bulk',
    scope: 'endeavour',
    inBody: true,
    success: 202,
    request: ({ endeavour }) =>
      post('/tasks/bulk', { filter: { endeavour_id: endeavour, overdue: true }, changes: { status: 'active' } }),
  },
  { operation: 'calendar_get', scope: null, success: 200, request: () => get('/calendar.ics') },
  { operation: 'work_list', scope: null, success: 200, request: () => get('/work') },
  { operation: 'search_list', scope: null, success: 200, request: () => get('/search?q=garden') },
  { operation: 'notifications_list', scope: null, success: 200, request: () => get('/notifications') },
  {
    operation: 'notifications_get',
    scope: null,
    success: 200,
    request: async (world, caller) => get(`/notifications/${await notification(world, caller)}`),
  },
  {
    operation: 'notifications_update',
    scope: null,
    success: 200,
    request: async (world, caller) => patch(`/notifications/${await notification(world, caller)}`, { read: true }),
  },
  {
    operation: 'notifications_read',
    scope: null,
    success: 200,
    request: () => post('/notifications/read', { all: true }),
  },
  {
    operation: 'tasks_review_requests_create',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      post(`/tasks/${await task(world)}/review-requests`, { resource_ids: [world.bystander.resourceId] }),
  },
  {
    operation: 'tasks_dependencies_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks/${await task(world)}/dependencies`),
  },
  {
    operation: 'tasks_diff_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const path = `/tasks/${await task(world)}/diff?from=0`;
      // Gives the events of the task their sequences, as any reader of the feed does.
      await world.app.as(world.founder).get('/changes?after=now').expect(200);
      return get(path);
    },
  },
  {
    operation: 'endeavours_dependencies_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/dependencies`),
  },
  {
    operation: 'endeavours_progress_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/progress`),
  },
  {
    operation: 'endeavours_roadmap_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/roadmap`),
  },
  {
    operation: 'endeavours_load_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/load`),
  },
  {
    operation: 'endeavours_calendar_get',
    scope: 'endeavour',
    success: 200,
    request: ({ endeavour }) => get(`/endeavours/${endeavour}/calendar.ics`),
  },
  {
    operation: 'tasks_transitions_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/tasks/${await task(world)}/transitions`),
  },
];
