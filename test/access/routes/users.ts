import { randomBytes } from 'node:crypto';
import type { CallerName, World } from '../callers.js';
import { copyOrganization } from '../fixtures.js';
import { del, everyCaller, get, made, partners, patch, post, type ApiRequest, type Row } from '../rows.js';

const invitation = (world: World): Promise<string> =>
  made(world, world.founder, '/invitations', { organization_id: world.organization });

/** The acceptance of an invitation that is open to every user with its token. */
async function acceptance(world: World): Promise<ApiRequest> {
  const { body } = await world.app.as(world.administrator).post('/invitations').send({ max_uses: 2 }).expect(201);
  return post('/invitations/accept', { token: body.data.token });
}

/** An invitation for the caller. */
async function ownInvitation({ app, administrator, callers }: World, caller: CallerName): Promise<string> {
  const organization_id = await app.organization(administrator, { name: 'Elsewhere' });
  // Another row may have changed the address of the caller.
  const { body: own } = await app.as(callers[caller]).get('/auth/whoami').expect(200);
  const sent = { organization_id, email: own.data.email };
  const { body } = await app.as(administrator).post('/invitations').send(sent).expect(201);
  return body.data.id;
}

/** The offer of a link of an endeavour whose home has none of the callers, to the caller. */
async function ownOffer(world: World, caller: CallerName): Promise<{ id: string; organization: string }> {
  const { app, callers } = world;
  const owner = await app.person('Elsewhere');
  const home = await app.organization(owner, { name: 'Elsewhere' });
  const endeavour_id = await app.endeavour(owner, { organization_id: home });
  const { body: own } = await app.as(callers[caller]).get('/auth/whoami').expect(200);
  const offer = { kind: 'link', endeavour_id, email: own.data.email };
  const id = await made(world, owner, '/invitations', offer);
  return { id, organization: await copyOrganization(world) };
}

export const USERS: readonly Row[] = [
  { operation: 'users_list', scope: null, success: 200, request: () => get('/users') },
  {
    operation: 'users_create',
    scope: null,
    success: 201,
    request: () => post('/users', { name: 'New', email: `new.${randomBytes(4).toString('hex')}@example.test` }),
  },
  {
    operation: 'users_delete',
    scope: null,
    success: 200,
    request: async ({ app }) => del(`/users/${(await app.person('Leaver')).id}`),
    exceptions: everyCaller(403, { administrator: 200 }),
  },
  {
    operation: 'users_get',
    when: 'of a member of the endeavour',
    scope: 'endeavour',
    success: 200,
    request: ({ founder }) => get(`/users/${founder.id}`),
  },
  {
    operation: 'users_get',
    when: 'of oneself',
    scope: null,
    success: 200,
    request: ({ callers }, caller) => get(`/users/${callers[caller].id}`),
  },
  {
    operation: 'users_get',
    when: 'of a user with whom the caller shares nothing',
    scope: null,
    success: 200,
    request: ({ stranger }) => get(`/users/${stranger.id}`),
    exceptions: everyCaller(404, { administrator: 200 }),
  },
  {
    operation: 'users_update',
    when: 'of another user',
    scope: 'endeavour',
    success: 200,
    request: ({ bystander }, caller) => patch(`/users/${bystander.id}`, { name: caller }),
    exceptions: everyCaller(403, { outsider: 404, 'former member': 404, administrator: 200 }),
  },
  {
    operation: 'users_update',
    when: 'of oneself',
    scope: null,
    success: 200,
    request: ({ callers }, caller) => patch(`/users/${callers[caller].id}`, { lang: 'de' }),
  },
  {
    operation: 'users_update',
    when: 'of what administrators decide, of oneself',
    scope: null,
    success: 200,
    request: ({ callers }, caller) => patch(`/users/${callers[caller].id}`, { tier: 2 }),
    exceptions: everyCaller(403, { administrator: 200 }),
  },
  {
    operation: 'users_endeavours_add',
    scope: 'endeavour',
    success: 200,
    request: ({ bystander, endeavour }) => post(`/users/${bystander.id}/endeavours`, { endeavour_id: endeavour }),
    exceptions: {
      'organization guest': 403,
      'organization member': 403,
      'endeavour viewer': 403,
      'endeavour member': 403,
      ...partners(403),
    },
  },

  { operation: 'tiers_list', scope: null, success: 200, request: () => get('/tiers') },
  {
    operation: 'tiers_update',
    scope: null,
    success: 200,
    request: () => patch('/tiers/2', { max_orgs: 1_000 + Math.floor(Math.random() * 1_000) }),
  },

  { operation: 'invitations_list', scope: null, success: 200, request: () => get('/invitations') },
  {
    operation: 'invitations_create',
    when: 'into an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/invitations', { organization_id: organization }),
  },
  {
    operation: 'invitations_create',
    when: 'into an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/invitations', { endeavour_id: endeavour }),
  },
  {
    operation: 'invitations_create',
    when: 'to link an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/invitations', { kind: 'link', endeavour_id: endeavour }),
    exceptions: { 'organization admin': 403, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'invitations_create',
    when: 'into nothing',
    scope: null,
    success: 201,
    request: () => post('/invitations', {}),
    exceptions: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'invitations_bulk',
    when: 'into an organization',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/invitations/bulk', { invitations: [{ organization_id: organization }] }),
  },
  {
    operation: 'invitations_bulk',
    when: 'into an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/invitations/bulk', { invitations: [{ endeavour_id: endeavour }] }),
  },
  {
    operation: 'invitations_bulk',
    when: 'to link an endeavour',
    scope: 'endeavour',
    inBody: true,
    success: 201,
    request: ({ endeavour }) => post('/invitations/bulk', { invitations: [{ kind: 'link', endeavour_id: endeavour }] }),
    exceptions: { 'organization admin': 403, 'endeavour admin': 403, 'endeavour owner': 403 },
  },
  {
    operation: 'invitations_bulk',
    when: 'into nothing',
    scope: null,
    success: 201,
    request: () => post('/invitations/bulk', { invitations: [{}] }),
    exceptions: everyCaller(403, { administrator: 201 }),
  },
  {
    operation: 'invitations_delete',
    scope: null,
    success: 200,
    request: async (world) => ({ method: 'delete', path: `/invitations/${await invitation(world)}` }),
    exceptions: everyCaller(404, { 'organization admin': 200, 'organization owner': 200, administrator: 200 }),
  },
  {
    operation: 'invitations_get',
    scope: null,
    success: 200,
    request: async (world) => get(`/invitations/${await invitation(world)}`),
    exceptions: everyCaller(404, { 'organization admin': 200, 'organization owner': 200, administrator: 200 }),
  },
  {
    operation: 'invitations_update',
    scope: null,
    success: 200,
    request: async (world) => patch(`/invitations/${await invitation(world)}`, { max_uses: 3 }),
    exceptions: everyCaller(404, { 'organization admin': 200, 'organization owner': 200, administrator: 200 }),
  },
  {
    operation: 'invitations_accept_own',
    scope: null,
    success: 200,
    request: async (world, caller) => post(`/invitations/${await ownInvitation(world, caller)}/accept`),
  },
  {
    operation: 'invitations_accept_own',
    when: 'of a link',
    needs: 'organizations_endeavours_add',
    scope: 'organization',
    inBody: true,
    success: 200,
    request: async (world, caller) => {
      const { id, organization } = await ownOffer(world, caller);
      return post(`/invitations/${id}/accept`, { organization_id: organization });
    },
  },
  {
    operation: 'invitations_accept_own',
    when: 'of another user',
    scope: null,
    success: 200,
    request: async (world) => post(`/invitations/${await invitation(world)}/accept`),
    exceptions: everyCaller(404),
  },
  {
    operation: 'invitations_refuse',
    scope: null,
    success: 200,
    request: async (world, caller) => post(`/invitations/${await ownInvitation(world, caller)}/refuse`),
  },
  {
    operation: 'invitations_refuse',
    when: 'of another user',
    scope: null,
    success: 200,
    request: async (world) => post(`/invitations/${await invitation(world)}/refuse`),
    exceptions: everyCaller(404),
  },
  { operation: 'invitations_accept', scope: null, success: 200, request: acceptance },
];
