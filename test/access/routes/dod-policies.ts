import { PERSONAL_OWNER, type World } from '../callers.js';
import { everyCaller, get, made, patch, post, type Row } from '../rows.js';
import { builtIn } from '../twins.js';

const body = { name: 'Ours', conditions: [{ type: 'manual_attestation' }] };

const policy = (world: World): Promise<string> =>
  made(world, world.founder, '/dod-policies', { ...body, organization_id: world.organization });
const global = (world: World): Promise<string> => made(world, world.administrator, '/dod-policies', body);
const personal = async (world: World): Promise<string> =>
  made(world, world.callers[PERSONAL_OWNER], `/dod-policies/${await builtIn(world, 'dod_policies')}/versions`, {});

export const DOD_POLICIES: readonly Row[] = [
  { operation: 'dod_policies_list', at: null, success: 200, ask: () => get('/dod-policies') },
  {
    operation: 'dod_policies_create',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: ({ organization }) => post('/dod-policies', { ...body, organization_id: organization }),
  },
  {
    operation: 'dod_policies_create',
    when: 'for all',
    at: 'everywhere',
    success: 201,
    ask: () => post('/dod-policies', { ...body, container: 'global' }),
    but: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'dod_policies_create',
    when: 'in an endeavour',
    at: 'endeavour',
    inBody: true,
    success: 201,
    ask: ({ endeavour }) => post('/dod-policies', { ...body, endeavour_id: endeavour }),
  },
  {
    operation: 'dod_policies_create',
    when: 'of one for oneself',
    at: null,
    success: 201,
    ask: () => post('/dod-policies', { ...body, container: 'personal' }),
  },
  {
    operation: 'dod_policies_get',
    at: 'organization',
    success: 200,
    ask: async (world) => get(`/dod-policies/${await policy(world)}`),
  },
  {
    operation: 'dod_policies_get',
    when: 'of a global one',
    at: 'everywhere',
    success: 200,
    ask: async (world) => get(`/dod-policies/${await global(world)}`),
  },
  {
    operation: 'dod_policies_get',
    when: 'of a personal one',
    at: 'person',
    success: 200,
    ask: async (world) => get(`/dod-policies/${await personal(world)}`),
  },
  {
    operation: 'dod_policies_update',
    at: 'organization',
    success: 200,
    ask: async (world) => patch(`/dod-policies/${await policy(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_update',
    when: 'of a global one',
    at: 'everywhere',
    success: 200,
    ask: async (world) => patch(`/dod-policies/${await global(world)}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_update',
    when: 'of a built-in one',
    at: 'everywhere',
    success: 409,
    ask: async (world) => patch(`/dod-policies/${await builtIn(world, 'dod_policies')}`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_lineage',
    at: 'organization',
    success: 200,
    ask: async (world) => get(`/dod-policies/${await policy(world)}/lineage`),
  },
  {
    operation: 'dod_policies_diff',
    at: 'organization',
    success: 200,
    ask: async (world) => get(`/dod-policies/${await policy(world)}/diff?to=${await builtIn(world, 'dod_policies')}`),
  },
  {
    operation: 'dod_policies_version',
    at: 'organization',
    success: 201,
    ask: async (world) => post(`/dod-policies/${await policy(world)}/versions`, { name: 'Changed' }),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
  {
    operation: 'dod_policies_version',
    when: 'of a global one',
    at: 'everywhere',
    success: 201,
    ask: async (world) => post(`/dod-policies/${await global(world)}/versions`, { name: 'Changed' }),
    but: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'dod_policies_version',
    when: 'of a personal one',
    at: 'person',
    success: 201,
    ask: async (world) => post(`/dod-policies/${await personal(world)}/versions`, { name: 'Changed' }),
  },
  {
    operation: 'dod_policies_version',
    when: 'of a built-in one',
    at: 'everywhere',
    success: 201,
    ask: async (world) => post(`/dod-policies/${await builtIn(world, 'dod_policies')}/versions`),
  },
  {
    operation: 'dod_policies_version',
    when: 'of a built-in one, into an organization',
    at: 'organization',
    inBody: true,
    success: 201,
    ask: async (world) =>
      post(`/dod-policies/${await builtIn(world, 'dod_policies')}/versions`, { organization_id: world.organization }),
    but: { 'organization guest': 403, 'organization member': 403 },
  },
];
