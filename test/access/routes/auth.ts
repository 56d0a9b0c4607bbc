import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/sign-up.js';
import { PERSONAL_OWNER, type CallerName, type World } from '../callers.js';
import { Authenticator } from '../../support/authenticator.js';
import type { Person, TestApp } from '../../support/test-app.js';
import { enableSecondFactor, totpOf } from '../../support/second-factor.js';
import { del, everyCaller, get, made, patch, post, type ApiRequest, type Row } from '../rows.js';

/** Gives the caller a password that the test knows. */
async function rememberPassword({ app, callers }: World, caller: CallerName): Promise<void> {
  const hash = await app.service.hashPassword(PASSWORD);
  await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [callers[caller].id, hash]);
}

const sessionIn = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()) as { jti: string }).jti;

const newAddress = (): string => `new.${randomBytes(4).toString('hex')}@example.test`;

/** Requests a change of address as the caller and returns the code that is mailed to the new address. */
async function askedCode(world: World, caller: CallerName): Promise<string | undefined> {
  const { app, callers } = world;
  const address = newAddress();
  await rememberPassword(world, caller);
  await app
    .as(callers[caller])
    .post('/auth/email/change')
    .send({ new_email: address, current_password: PASSWORD })
    .expect(200);
  const [{ code }] = await app.mail(address);
  return code;
}

/** An agent of the founder in the organization. */
const agentIn = (world: World): Promise<string> =>
  made(world, world.founder, '/agents', { name: 'Triage', organization_id: world.organization });

function askedAgent(act: 'update' | 'delete' | 'tokens_create', id: string): ApiRequest {
  if (act === 'tokens_create') return post(`/agents/${id}/tokens`, ROBOT);
  return act === 'update' ? patch(`/agents/${id}`, { name: 'Sorter' }) : del(`/agents/${id}`);
}

const ROBOT = { name: 'Robot', scopes: ['tasks:read'] };

function askedToken(act: 'get' | 'update' | 'rotate' | 'delete', id: string): ApiRequest {
  const path = `/auth/tokens/${id}`;
  if (act === 'update') return patch(path, { name: 'Another' });
  if (act === 'rotate') return post(`${path}/rotate`);
  return act === 'get' ? get(path) : del(path);
}

const newToken = (world: World): Promise<string> => made(world, world.callers[PERSONAL_OWNER], '/auth/tokens', ROBOT);

/** A token that was granted to a program of others. */
async function newGrant(world: World): Promise<string> {
  const id = await newToken(world);
  await world.app.database.query(
    `UPDATE access_tokens SET kind = 'oauth', client_id = 'worksmith-cli', resource = 'api' WHERE id = $1`,
    [id],
  );
  return id;
}

const keptGrants = new WeakMap<World, Promise<string>>();

/** A grant that all callers without access share. */
function keptGrant(world: World): Promise<string> {
  const grant = keptGrants.get(world) ?? newGrant(world);
  keptGrants.set(world, grant);
  return grant;
}

const keptTokens = new WeakMap<World, Promise<string>>();

/** A token that all callers without access share, because a user can have at most 50. */
function keptToken(world: World): Promise<string> {
  const token = keptTokens.get(world) ?? newToken(world);
  keptTokens.set(world, token);
  return token;
}

/** The body with which the person adds a passkey. */
async function newPasskey(
  app: TestApp,
  person: Person,
  name = 'Laptop',
): Promise<{ name: string; credential: object }> {
  const { body } = await app.as(person).post('/auth/passkeys/options').expect(200);
  return { name, credential: new Authenticator().create(body.data) };
}

/** A passkey of the personal owner, who can have at most ten. */
async function ownPasskey(world: World, name?: string): Promise<string> {
  const owner = world.callers[PERSONAL_OWNER];
  await rememberPassword(world, PERSONAL_OWNER);
  const { body } = await world.app.as(owner).get('/auth/passkeys').expect(200);
  for (const { id } of body.data.filter((one: { name: string }) => one.name !== 'Kept')) {
    await world.app.as(owner).delete(`/auth/passkeys/${id}`).expect(200);
  }
  return made(world, owner, '/auth/passkeys', await newPasskey(world.app, owner, name));
}

const keptPasskeys = new WeakMap<World, Promise<string>>();

/** A passkey that all callers without access share. */
function keptPasskey(world: World): Promise<string> {
  const passkey = keptPasskeys.get(world) ?? ownPasskey(world, 'Kept');
  keptPasskeys.set(world, passkey);
  return passkey;
}

function askedPasskey(act: 'get' | 'update' | 'delete', id: string): ApiRequest {
  const path = `/auth/passkeys/${id}`;
  if (act === 'update') return patch(path, { name: 'Another' });
  return act === 'get' ? get(path) : del(path);
}

export const AUTH: readonly Row[] = [
  {
    operation: 'auth_logout',
    scope: null,
    success: 200,
    request: async ({ app, callers }, caller) => ({
      ...post('/auth/logout'),
      by: await app.signInAgain(callers[caller]),
    }),
  },
  {
    operation: 'auth_change_password',
    scope: null,
    success: 200,
    request: async (world, caller) => {
      await rememberPassword(world, caller);
      return post('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD}!` });
    },
  },
  {
    operation: 'auth_delete_account',
    scope: null,
    success: 200,
    request: async ({ app }) => {
      const passwordHash = await app.service.hashPassword(PASSWORD);
      const by = await app.person('Leaver', { passwordHash });
      return { ...post('/auth/delete-account', { current_password: PASSWORD }), by };
    },
  },
  {
    operation: 'auth_profile_update',
    scope: null,
    success: 200,
    request: () => patch('/auth/profile', { timezone: 'Europe/Berlin' }),
  },
  { operation: 'auth_can_get', scope: null, success: 200, request: () => get('/auth/can?action=tasks_list') },
  {
    operation: 'auth_can_check',
    scope: null,
    success: 200,
    request: () => post('/auth/can', { questions: [{ action: 'tasks_list' }] }),
  },
  { operation: 'auth_whoami_get', scope: null, success: 200, request: () => get('/auth/whoami') },
  {
    operation: 'auth_email_change',
    scope: null,
    success: 200,
    request: async (world, caller) => {
      await rememberPassword(world, caller);
      return post('/auth/email/change', { new_email: newAddress(), current_password: PASSWORD });
    },
  },
  { operation: 'auth_sessions_list', scope: null, success: 200, request: () => get('/auth/sessions') },
  {
    operation: 'auth_sessions_delete',
    scope: null,
    success: 200,
    request: async ({ app, callers }, caller) => {
      const { token } = await app.signInAgain(callers[caller]);
      return del(`/auth/sessions/${sessionIn(token)}`);
    },
  },
  {
    operation: 'auth_sessions_delete',
    when: 'of another user',
    scope: 'person',
    success: 200,
    request: async ({ app, callers }, caller) => {
      // The other callers cannot end the session, so they share one; with too many sessions, the oldest ends.
      const { token } =
        caller === PERSONAL_OWNER ? await app.signInAgain(callers[PERSONAL_OWNER]) : callers[PERSONAL_OWNER];
      return del(`/auth/sessions/${sessionIn(token)}`);
    },
    exceptions: { administrator: 404 },
  },
  {
    operation: 'auth_sessions_delete_others',
    scope: null,
    success: 200,
    request: async ({ app }) => ({ ...del('/auth/sessions'), by: await app.person('Elsewhere') }),
  },
  {
    operation: 'auth_step_up',
    scope: null,
    success: 200,
    request: async (world, caller) => {
      await rememberPassword(world, caller);
      return post('/auth/step-up', { password: PASSWORD });
    },
  },
  {
    operation: 'auth_step_up_code_create',
    scope: null,
    success: 200,
    request: async ({ app }) => ({ ...post('/auth/step-up/code'), by: await app.person('Elsewhere') }),
  },
  { operation: 'auth_passkeys_list', scope: null, success: 200, request: () => get('/auth/passkeys') },
  {
    operation: 'auth_passkeys_options_create',
    scope: null,
    success: 200,
    request: () => post('/auth/passkeys/options'),
  },
  {
    operation: 'auth_passkeys_create',
    scope: null,
    success: 201,
    request: async ({ app }) => {
      const by = await app.person('Careful');
      return { ...post('/auth/passkeys', await newPasskey(app, by)), by };
    },
  },
  ...(['get', 'update', 'delete'] as const).map((act): Row => ({
    operation: `auth_passkeys_${act}`,
    scope: 'person',
    success: 200,
    request: async (world, caller) =>
      askedPasskey(act, await (caller === PERSONAL_OWNER ? ownPasskey(world) : keptPasskey(world))),
    exceptions: { administrator: 404 },
  })),
  {
    operation: 'auth_step_up_options_create',
    scope: null,
    success: 200,
    request: () => post('/auth/step-up/options'),
  },
  { operation: 'auth_totp_status_get', scope: null, success: 200, request: () => get('/auth/totp/status') },
  {
    operation: 'auth_totp_setup',
    scope: null,
    success: 200,
    request: async ({ app }) => ({ ...post('/auth/totp/setup'), by: await app.person('Careful') }),
  },
  {
    operation: 'auth_totp_enable',
    scope: null,
    success: 200,
    request: async ({ app }) => {
      const by = await app.person('Careful');
      const { body } = await app.as(by).post('/auth/totp/setup').expect(200);
      return { ...post('/auth/totp/enable', { code: totpOf(body.data.secret) }), by };
    },
  },
  ...(['disable', 'recovery-codes'] as const).map((act): Row => ({
    operation: act === 'disable' ? 'auth_totp_disable' : 'auth_totp_recovery_codes_create',
    scope: null,
    success: 200,
    request: async ({ app }) => {
      const by = await app.person('Careful');
      const { recoveryCodes } = await enableSecondFactor(app, by);
      return { ...post(`/auth/totp/${act}`, { code: recoveryCodes[0] }), by };
    },
  })),
  ...(['preview', 'create', 'refuse'] as const).map((act): Row => ({
    operation: `auth_consents_${act}`,
    scope: null,
    // Only a browser can begin a request for authorization, so none exists here.
    success: 400,
    request: () =>
      act === 'create'
        ? post('/auth/consents', { consent_token: 'none', scopes: ['tasks:read'] })
        : post(`/auth/consents/${act}`, {}),
  })),
  { operation: 'auth_grants_list', scope: null, success: 200, request: () => get('/auth/grants') },
  {
    operation: 'auth_grants_delete',
    scope: 'person',
    success: 200,
    request: async (world, caller) =>
      del(`/auth/grants/${await (caller === PERSONAL_OWNER ? newGrant(world) : keptGrant(world))}`),
    exceptions: { administrator: 404 },
  },
  { operation: 'auth_tokens_list', scope: null, success: 200, request: () => get('/auth/tokens') },
  {
    operation: 'auth_tokens_create',
    scope: null,
    success: 201,
    request: async ({ app }) => ({ ...post('/auth/tokens', ROBOT), by: await app.person('Maker') }),
  },
  ...(['get', 'update', 'rotate', 'delete'] as const).map((act): Row => ({
    operation: `auth_tokens_${act}`,
    scope: 'person',
    success: 200,
    request: async (world, caller) =>
      askedToken(act, await (caller === PERSONAL_OWNER ? newToken(world) : keptToken(world))),
    exceptions: { administrator: 404 },
  })),
  { operation: 'agents_list', scope: null, success: 200, request: () => get('/agents') },
  {
    operation: 'agents_create',
    scope: 'organization',
    inBody: true,
    success: 201,
    request: ({ organization }) => post('/agents', { name: 'Triage', organization_id: organization }),
  },
  ...(['update', 'delete', 'tokens_create'] as const).map((act): Row => ({
    operation: `agents_${act}`,
    scope: null,
    success: act === 'tokens_create' ? 201 : 200,
    request: async (world) => askedAgent(act, await agentIn(world)),
    exceptions: everyCaller(404, {
      'organization admin': act === 'tokens_create' ? 201 : 200,
      'organization owner': act === 'tokens_create' ? 201 : 200,
      administrator: act === 'tokens_create' ? 201 : 200,
    }),
  })),
  { operation: 'auth_email_pending_get', scope: null, success: 200, request: () => get('/auth/email/pending') },
  { operation: 'auth_email_cancel', scope: null, success: 200, request: () => post('/auth/email/cancel') },
  {
    operation: 'auth_email_verify',
    scope: null,
    success: 200,
    request: async (world, caller) => post('/auth/email/verify', { code: await askedCode(world, caller) }),
  },
];
