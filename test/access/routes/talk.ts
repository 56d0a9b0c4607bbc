import type { World } from '../callers.js';
import { del, everyCaller, get, made, partners, patch, post, type Row } from '../rows.js';
import { builtIn } from '../fixtures.js';

const task = (world: World): Promise<string> => world.app.task(world.founder, world.endeavour);

const on = (id: string, type: string): object => ({ entity_type: type, entity_id: id });

/** A comment of the founder on a task. */
const comment = async (world: World): Promise<string> =>
  made(world, world.founder, '/comments', { ...on(await task(world), 'task'), content: 'Green?' });

const approval = async (world: World, verdict = 'approved'): Promise<string> =>
  made(world, world.founder, '/approvals', { ...on(await task(world), 'task'), verdict });

export const TALK: readonly Row[] = [
  { operation: 'comments_list', scope: null, success: 200, request: () => get('/comments') },
  {
    operation: 'comments_create',
    when: 'on a task',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/comments', { ...on(await task(world), 'task'), content: 'Green?' }),
  },
  {
    operation: 'comments_create',
    when: 'on the organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/comments', { ...on(organization, 'organization'), content: 'Well?' }),
  },
  {
    operation: 'comments_create',
    when: 'on what is built in',
    scope: 'everywhere',
    inBody: true,
    success: 201,
    request: async (world) =>
      post('/comments', { ...on(await builtIn(world, 'templates'), 'template'), content: 'Well?' }),
  },
  {
    operation: 'comments_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/comments/${await comment(world)}`),
  },
  {
    operation: 'comments_update',
    scope: 'endeavour',
    success: 200,
    request: async (world) => patch(`/comments/${await comment(world)}`, { content: 'Blue?' }),
    exceptions: everyCaller(403, { outsider: 404, 'former member': 404 }),
  },
  {
    operation: 'comments_update',
    when: 'by its author',
    scope: 'endeavour',
    success: 200,
    request: async (world, caller) => {
      const id = await comment(world);
      await world.app.database.query('UPDATE comments SET author_id = $2 WHERE id = $1', [
        id,
        world.callers[caller].resourceId,
      ]);
      return patch(`/comments/${id}`, { content: 'Blue?' });
    },
  },
  {
    operation: 'comments_delete',
    scope: 'endeavour',
    success: 200,
    request: async (world) => del(`/comments/${await comment(world)}`),
    exceptions: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },
  {
    operation: 'comments_history_list',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/comments/${await comment(world)}/history`),
  },

  { operation: 'approvals_list', scope: null, success: 200, request: () => get('/approvals') },
  {
    operation: 'approvals_create',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/approvals', { ...on(await task(world), 'task'), verdict: 'approved' }),
  },
  {
    operation: 'approvals_create',
    when: 'as an owner',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) =>
      post('/approvals', { ...on(await task(world), 'task'), verdict: 'approved', role: 'owner' }),
  },
  {
    operation: 'approvals_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/approvals/${await approval(world)}`),
  },
  {
    operation: 'approvals_dismiss',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      post(`/approvals/${await approval(world, 'rejected')}/dismiss`, { reason: 'Of another task' }),
  },
];
