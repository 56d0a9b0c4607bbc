import { PERSONAL_OWNER, type World } from '../callers.js';
import { del, everyCaller, get, made, patch, post, type Row } from '../rows.js';

/** A message from an administrator to the owner of personal resources. */
const message = (world: World): Promise<string> =>
  made(world, world.administrator, '/messages', {
    recipient_ids: [world.callers[PERSONAL_OWNER].id],
    content: 'Well?',
  });

export const MESSAGES: readonly Row[] = [
  { operation: 'messages_list', scope: null, success: 200, request: () => get('/messages') },
  {
    operation: 'messages_create',
    when: 'to a user in the endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ bystander }) => post('/messages', { recipient_ids: [bystander.id], content: 'Well?' }),
  },
  {
    operation: 'messages_create',
    when: 'to the whole endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/messages', { scope_type: 'endeavour', scope_id: endeavour, content: 'Well?' }),
    exceptions: { 'organization guest': 403, 'endeavour viewer': 403 },
  },
  {
    operation: 'messages_create',
    when: 'to the whole organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) =>
      post('/messages', { scope_type: 'organization', scope_id: organization, content: 'Well?' }),
    exceptions: { 'organization guest': 403 },
  },
  {
    operation: 'messages_get',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/messages/${await message(world)}`),
  },
  {
    operation: 'messages_update',
    when: 'by its recipient, not by its sender',
    scope: 'person',
    success: 200,
    request: async (world) => patch(`/messages/${await message(world)}`, { read: true }),
    exceptions: { administrator: 403 },
  },
  {
    operation: 'messages_reply',
    scope: 'person',
    success: 201,
    request: async (world) => post(`/messages/${await message(world)}/reply`, { content: 'Green' }),
  },
  {
    operation: 'messages_reply',
    when: 'by an administrator who is not a participant',
    scope: null,
    success: 201,
    request: async (world) => {
      const { founder, bystander } = world;
      const id = await made(world, founder, '/messages', { recipient_ids: [bystander.id], content: 'Well?' });
      return post(`/messages/${id}/reply`, { content: 'Green' });
    },
    exceptions: everyCaller(404, { administrator: 403 }),
  },
  {
    operation: 'messages_thread_get',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/messages/${await message(world)}/thread`),
  },
  {
    operation: 'messages_recipients_list',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/messages/${await message(world)}/recipients`),
  },
  { operation: 'messages_read', scope: null, success: 200, request: () => post('/messages/read', { all: true }) },
  {
    operation: 'messages_read',
    when: 'of another user',
    scope: null,
    success: 400,
    request: async (world) => {
      const { founder, bystander } = world;
      const id = await made(world, founder, '/messages', { recipient_ids: [bystander.id], content: 'Well?' });
      return post('/messages/read', { ids: [id] });
    },
  },
  {
    operation: 'messages_delete',
    when: 'by its recipient, not by its sender',
    scope: 'person',
    success: 200,
    request: async (world) => del(`/messages/${await message(world)}`),
    exceptions: { administrator: 403 },
  },
];
