import { PERSONAL_OWNER, type World } from '../callers.js';
import { get, made, patch, post, type Row } from '../rows.js';
import { builtIn } from '../fixtures.js';

const body = { name: 'Short report', scope: 'task', body: '# {{ task.title }}' };

const template = (world: World): Promise<string> =>
  made(world, world.founder, '/templates', { ...body, organization_id: world.organization });
const global = (world: World): Promise<string> => made(world, world.administrator, '/templates', body);
const personal = async (world: World): Promise<string> =>
  made(world, world.callers[PERSONAL_OWNER], `/templates/${await global(world)}/fork`, {});
const task = (world: World): Promise<string> => world.app.task(world.founder, world.endeavour);

export const TEMPLATES: readonly Row[] = [
  { operation: 'templates_list', scope: null, success: 200, request: () => get('/templates') },
  {
    operation: 'templates_create',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/templates', { ...body, organization_id: organization }),
  },
  {
    operation: 'templates_create',
    when: 'for all',
    scope: 'everywhere',
    success: 201,
    request: () => post('/templates', { ...body, container: 'global' }),
  },
  {
    operation: 'templates_create',
    when: 'for oneself',
    scope: null,
    success: 201,
    request: () => post('/templates', { ...body, container: 'personal' }),
  },
  {
    operation: 'templates_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/templates/${await template(world)}`),
  },
  {
    operation: 'templates_get',
    when: 'of a global one',
    scope: 'everywhere',
    success: 200,
    request: async (world) => get(`/templates/${await global(world)}`),
  },
  {
    operation: 'templates_get',
    when: 'of a personal one',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/templates/${await personal(world)}`),
  },
  {
    operation: 'templates_update',
    scope: 'organization',
    success: 200,
    request: async (world) => patch(`/templates/${await template(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'templates_update',
    when: 'of a global one',
    scope: 'everywhere',
    success: 200,
    request: async (world) => patch(`/templates/${await global(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'templates_update',
    when: 'of a personal one',
    scope: 'person',
    success: 200,
    request: async (world) => patch(`/templates/${await personal(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'templates_update',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 409,
    request: async (world) => patch(`/templates/${await builtIn(world, 'templates')}`, { name: 'Changed' }),
  },
  {
    operation: 'templates_fork',
    scope: 'organization',
    success: 201,
    request: async (world) => post(`/templates/${await template(world)}/fork`),
  },
  {
    operation: 'templates_fork',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 201,
    request: async (world) => post(`/templates/${await builtIn(world, 'templates')}/fork`),
  },
  {
    operation: 'templates_fork',
    when: 'into an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) =>
      post(`/templates/${await builtIn(world, 'templates')}/fork`, { organization_id: world.organization }),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'templates_lineage_list',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/templates/${await template(world)}/lineage`),
  },
  {
    operation: 'templates_diff_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/templates/${await template(world)}/diff?to=${await builtIn(world, 'templates')}`),
  },
  {
    operation: 'templates_preview',
    when: 'of a template of an organization',
    scope: 'organization',
    success: 200,
    request: async (world) => post(`/templates/${await template(world)}/preview`, { entity_id: await task(world) }),
  },
  {
    operation: 'templates_preview',
    when: 'about something in an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 200,
    request: async (world) => post(`/templates/${await global(world)}/preview`, { entity_id: await task(world) }),
  },
  {
    operation: 'reports_get',
    scope: 'endeavour',
    success: 200,
    request: async (world) => get(`/reports/task/${await task(world)}`),
  },
];
