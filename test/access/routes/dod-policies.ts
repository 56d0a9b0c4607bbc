import { PERSONAL_OWNER, type World } from '../callers.js';
import { everyCaller, get, made, patch, post, type Row } from '../rows.js';
import { builtIn } from '../fixtures.js';

const body = { name: 'Ours', conditions: [{ type: 'manual_attestation' }] };

const policy = (world: World): Promise<string> =>
  made(world, world.founder, '/dod-policies', { ...body, organization_id: world.organization });
const global = (world: World): Promise<string> => made(world, world.administrator, '/dod-policies', body);
const personal = async (world: World): Promise<string> =>
  made(world, world.callers[PERSONAL_OWNER], `/dod-policies/${await builtIn(world, 'dod_policies')}/versions`, {});

export const DOD_POLICIES: readonly Row[] = [
  { operation: 'dod_policies_list', scope: null, success: 200, request: () => get('/dod-policies') },
  {
    operation: 'dod_policies_create',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/dod-policies', { ...body, organization_id: organization }),
  },
  {
    operation: 'dod_policies_create',
    when: 'for all',
    scope: 'everywhere',
    success: 201,
    request: () => post('/dod-policies', { ...body, container: 'global' }),
    exceptions: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'dod_policies_create',
    when: 'in an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/dod-policies', { ...body, endeavour_id: endeavour }),
  },
  {
    operation: 'dod_policies_create',
    when: 'of one for oneself',
    scope: null,
    success: 201,
    request: () => post('/dod-policies', { ...body, container: 'personal' }),
  },
  {
    operation: 'dod_policies_get',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/dod-policies/${await policy(world)}`),
  },
  {
    operation: 'dod_policies_get',
    when: 'of a global one',
    scope: 'everywhere',
    success: 200,
    request: async (world) => get(`/dod-policies/${await global(world)}`),
  },
  {
    operation: 'dod_policies_get',
    when: 'of a personal one',
    scope: 'person',
    success: 200,
    request: async (world) => get(`/dod-policies/${await personal(world)}`),
  },
  {
    operation: 'dod_policies_update',
    scope: 'organization',
    success: 200,
    request: async (world) => patch(`/dod-policies/${await policy(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_update',
    when: 'of a global one',
    scope: 'everywhere',
    success: 200,
    request: async (world) => patch(`/dod-policies/${await global(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_update',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 409,
    request: async (world) => patch(`/dod-policies/${await builtIn(world, 'dod_policies')}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_lineage_list',
    scope: 'organization',
    success: 200,
    request: async (world) => get(`/dod-policies/${await policy(world)}/lineage`),
  },
  {
    operation: 'dod_policies_diff_get',
    scope: 'organization',
    success: 200,
    request: async (world) =>
      get(`/dod-policies/${await policy(world)}/diff?to=${await builtIn(world, 'dod_policies')}`),
  },
  {
    operation: 'dod_policies_versions_create',
    scope: 'organization',
    success: 201,
    request: async (world) => post(`/dod-policies/${await policy(world)}/versions`, { name: 'Changed' }),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'dod_policies_versions_create',
    when: 'of a global one',
    scope: 'everywhere',
    success: 201,
    request: async (world) => post(`/dod-policies/${await global(world)}/versions`, { name: 'Changed' }),
    exceptions: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'dod_policies_versions_create',
    when: 'of a personal one',
    scope: 'person',
    success: 201,
    request: async (world) => post(`/dod-policies/${await personal(world)}/versions`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_versions_create',
    when: 'of a built-in one',
    scope: 'everywhere',
    success: 201,
    request: async (world) => post(`/dod-policies/${await builtIn(world, 'dod_policies')}/versions`),
  },
  {
    operation: 'dod_policies_versions_create',
    when: 'of a built-in one, into an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: async (world) =>
      post(`/dod-policies/${await builtIn(world, 'dod_policies')}/versions`, { organization_id: world.organization }),
    exceptions: { 'organization guest': 403, 'organization member': 403 },
  },
];
