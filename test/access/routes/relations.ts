import type { World } from '../callers.js';
import { del, everyCaller, get, made, post, type Row } from '../rows.js';

const ends = (source: string, sourceType: string, target: string, targetType: string): object => ({
  relationship_type: 'references',
  source_entity_type: sourceType,
  source_entity_id: source,
  target_entity_type: targetType,
  target_entity_id: target,
});

const task = (world: World): Promise<string> => world.app.task(world.founder, world.endeavour);

/** A relation from the organization to a task; members of the endeavour alone cannot see its source. */
const fromOrganization = async (world: World): Promise<object> =>
  ends(world.organization, 'organization', await task(world), 'task');

export const RELATIONS: readonly Row[] = [
  { operation: 'relations_list', scope: null, success: 200, request: () => get('/relations') },
  {
    operation: 'relations_create',
    when: 'between tasks',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/relations', ends(await task(world), 'task', await task(world), 'task')),
    exceptions: { 'organization guest': 403, 'endeavour viewer': 403 },
  },
  {
    operation: 'relations_create',
    when: 'from the organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) => post('/relations', await fromOrganization(world)),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'relations_create',
    when: 'from a user',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) =>
      post('/relations', ends(world.bystander.resourceId, 'resource', await task(world), 'task')),
    exceptions: everyCaller(403, { outsider: 400, 'former member': 400, administrator: 201 }),
  },
  {
    operation: 'relations_create',
    when: 'to what one may not see',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: async (world) => post('/relations', ends(await task(world), 'task', world.stranger.id, 'user')),
    exceptions: everyCaller(400, { 'organization guest': 403, 'endeavour viewer': 403, administrator: 201 }),
  },
  {
    operation: 'relations_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const body = ends(await task(world), 'task', await task(world), 'task');
      return get(`/relations/${await made(world, world.founder, '/relations', body)}`);
    },
  },
  {
    operation: 'relations_get',
    when: 'of which one end may not be seen',
    scope: 'endeavour',
    success: 200,
    request: async (world) =>
      get(
        `/relations/${await made(world, world.administrator, '/relations', ends(await task(world), 'task', world.stranger.id, 'user'))}`,
      ),
    exceptions: everyCaller(404, { administrator: 200 }),
  },
  {
    operation: 'relations_delete',
    when: 'between tasks',
    scope: 'endeavour',
    success: 200,
    request: async (world) => {
      const body = ends(await task(world), 'task', await task(world), 'task');
      return del(`/relations/${await made(world, world.founder, '/relations', body)}`);
    },
    exceptions: { 'organization guest': 403, 'endeavour viewer': 403 },
  },
  {
    operation: 'relations_delete',
    when: 'from the organization',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      del(`/relations/${await made(world, world.founder, '/relations', await fromOrganization(world))}`),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
];
