import type { World } from '../callers.js';
import { del, everyCaller, get, made, partners, patch, post, type Row } from '../rows.js';
import { builtIn } from '../twins.js';

const task = (world: World): Promise<string> => world.app.task(world.founder, world.endeavour);

const on = (id: string, type: string): object => ({ entity_type: type, entity_id: id });

/** A comment of the founder on a task. */
const comment = async (world: World): Promise<string> =>
  made(world, world.founder, '/comments', { ...on(await task(world), 'task'), content: 'Green?' });

const approval = async (world: World, verdict = 'approved'): Promise<string> =>
  made(world, world.founder, '/approvals', { ...on(await task(world), 'task'), verdict });

export const TALK: readonly Row[] = [
  { operation: 'comments_list', at: null, success: 200, ask: () => get('/comments') },
  {
    operation: 'comments_create',
    when: 'on a task',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post('/comments', { ...on(await task(world), 'task'), content: 'Green?' }),
  },
  {
    operation: 'comments_create',
    when: 'on the organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: ({ organization }) => post('/comments', { ...on(organization, 'organization'), content: 'Well?' }),
  },
  {
    operation: 'comments_create',
    when: 'on what is built in',
    at: 'everywhere',
    inBody: true,
    success: 201,
    ask: async (world) => post('/comments', { ...on(await builtIn(world, 'templates'), 'template'), content: 'Well?' }),
  },
  {
    operation: 'comments_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/comments/${await comment(world)}`),
  },
  {
    operation: 'comments_update',
    at: 'endeavour',
    success: 200,
    ask: async (world) => patch(`/comments/${await comment(world)}`, { content: 'Blue?' }),
    but: everyCaller(403, { outsider: 404, 'former member': 404 }),
  },
  {
    operation: 'comments_update',
    when: 'by its author',
    at: 'endeavour',
    success: 200,
    ask: async (world, caller) => {
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
    at: 'endeavour',
    success: 200,
    ask: async (world) => del(`/comments/${await comment(world)}`),
    but: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },
  {
    operation: 'comments_history',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/comments/${await comment(world)}/history`),
  },

  { operation: 'approvals_list', at: null, success: 200, ask: () => get('/approvals') },
  {
    operation: 'approvals_create',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post('/approvals', { ...on(await task(world), 'task'), verdict: 'approved' }),
  },
  {
    operation: 'approvals_create',
    when: 'as an owner',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: async (world) => post('/approvals', { ...on(await task(world), 'task'), verdict: 'approved', role: 'owner' }),
  },
  {
    operation: 'approvals_get',
    at: 'endeavour',
    success: 200,
    ask: async (world) => get(`/approvals/${await approval(world)}`),
  },
  {
    operation: 'approvals_dismiss',
    at: 'endeavour',
    success: 200,
    ask: async (world) =>
      post(`/approvals/${await approval(world, 'rejected')}/dismiss`, { reason: 'Of another task' }),
  },
];
