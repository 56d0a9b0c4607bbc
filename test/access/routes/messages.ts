import { PERSONAL_OWNER, type World } from '../callers.js';
import { del, everyCaller, get, made, patch, post, type Row } from '../rows.js';

/** A message from an administrator to the owner of personal resources. */
const message = (world: World): Promise<string> =>
  made(world, world.administrator, '/messages', {
    recipient_ids: [world.callers[PERSONAL_OWNER].id],
    content: 'Well?',
  });

export const MESSAGES: readonly Row[] = [
  { operation: 'messages_list', at: null, success: 200, ask: () => get('/messages') },
  {
    operation: 'messages_create',
    when: 'to a user in the endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ bystander }) => post('/messages', { recipient_ids: [bystander.id], content: 'Well?' }),
  },
  {
    operation: 'messages_create',
    when: 'to the whole endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ endeavour }) => post('/messages', { scope_type: 'endeavour', scope_id: endeavour, content: 'Well?' }),
    but: { 'organization guest': 403, 'endeavour viewer': 403 },
  },
  {
    operation: 'messages_create',
    when: 'to the whole organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: ({ organization }) =>
      post('/messages', { scope_type: 'organization', scope_id: organization, content: 'Well?' }),
    but: { 'organization guest': 403 },
  },
  {
    operation: 'messages_get',
    at: 'person',
    success: 200,
    ask: async (world) => get(`/messages/${await message(world)}`),
  },
  {
    operation: 'messages_update',
    when: 'by its recipient, not by its sender',
    at: 'person',
    success: 200,
    ask: async (world) => patch(`/messages/${await message(world)}`, { read: true }),
    but: { administrator: 403 },
  },
  {
    operation: 'messages_reply',
    at: 'person',
    success: 201,
    ask: async (world) => post(`/messages/${await message(world)}/reply`, { content: 'Green' }),
  },
  {
    operation: 'messages_reply',
    when: 'by an administrator who is not a participant',
    at: null,
    success: 201,
    ask: async (world) => {
      const { founder, bystander } = world;
      const id = await made(world, founder, '/messages', { recipient_ids: [bystander.id], content: 'Well?' });
      return post(`/messages/${id}/reply`, { content: 'Green' });
    },
    but: everyCaller(404, { administrator: 403 }),
  },
  {
    operation: 'messages_thread',
    at: 'person',
    success: 200,
    ask: async (world) => get(`/messages/${await message(world)}/thread`),
  },
  {
    operation: 'messages_recipients_list',
    at: 'person',
    success: 200,
    ask: async (world) => get(`/messages/${await message(world)}/recipients`),
  },
  { operation: 'messages_mark_read', at: null, success: 200, ask: () => post('/messages/read', { all: true }) },
  {
    operation: 'messages_mark_read',
    when: 'of another user',
    at: null,
    success: 400,
    ask: async (world) => {
      const { founder, bystander } = world;
      const id = await made(world, founder, '/messages', { recipient_ids: [bystander.id], content: 'Well?' });
      return post('/messages/read', { ids: [id] });
    },
  },
  {
    operation: 'messages_delete',
    when: 'by its recipient, not by its sender',
    at: 'person',
    success: 200,
    ask: async (world) => del(`/messages/${await message(world)}`),
    but: { administrator: 403 },
  },
];
