import * as oauth from 'openid-client';
import { ask, CALLBACK, grantedTokens, ISSUER, OauthBrowser, programOf, redeem } from '../support/oauth-browser.js';
import { ProgramDocuments } from '../support/program-documents.js';
import { fieldErrorsOf, reasonOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const PROGRAM = { name: 'Calendar', redirect_uris: [CALLBACK] };

let app: TestApp;
let documents: ProgramDocuments;
let admin: Person;
let ann: Person;

beforeAll(async () => {
  documents = await ProgramDocuments.start();
  app = await TestApp.open({
    PUBLIC_URL: ISSUER,
    LIMIT_WRITES_PER_MINUTE: '100000',
    IDENTITY_ALLOW: '127.0.0.0/8',
    OAUTH_REGISTRATION: 'metadata,open,token',
  });
});
afterAll(() => Promise.all([app.close(), documents.stop()]));
beforeEach(async () => {
  [admin, ann] = [await app.admin(), await app.person('Ann')];
});

const using = (token: string): Person => ({ ...ann, token });
const registered = async (more: object = {}) =>
  (
    await app
      .as(admin)
      .post('/oauth-clients')
      .send({ ...PROGRAM, ...more })
      .expect(201)
  ).body.data;
const grants = async () => (await app.as(ann).get('/auth/grants').expect(200)).body.data;
const metadata = async () =>
  JSON.parse((await new OauthBrowser(app).open('/.well-known/oauth-authorization-server')).text);

/** Sends a registration as a program would. */
async function register(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${app.port()}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('a program that administrators register', () => {
  it('is read, changed and deleted by administrators', async () => {
    const { client_secret, ...program } = await registered();
    expect(client_secret).toBeNull();
    expect(program).toMatchObject({
      name: 'Calendar',
      registered_by: 'administrator',
      registered_with: null,
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      revision: 1,
    });
    const path = `/oauth-clients/${program.id}`;
    expect((await app.as(admin).get(path).expect(200)).body.data).toEqual(program);
    const listed = (await app.as(admin).get('/oauth-clients?registered_by=administrator&sort=-created_at').expect(200))
      .body;
    expect(listed.data[0]).toEqual(program);
    await app.as(admin).patch(path).set('If-Match', '"7"').send({ name: 'Other' }).expect(412);
    const { body } = await app
      .as(admin)
      .patch(path)
      .send({ name: 'Other', grant_types: [DEVICE] })
      .expect(200);
    expect(body.data).toMatchObject({ name: 'Other', grant_types: [DEVICE], redirect_uris: [CALLBACK], revision: 2 });
    await app.as(admin).delete(path).set('If-Match', '"1"').expect(412);
    expect((await app.as(admin).delete(path).expect(200)).body.data).toEqual({ id: program.id, deleted: true });
    await app.as(admin).get(path).expect(404);
    await app.as(admin).patch(path).send({ name: 'Third' }).expect(404);
    await app.as(admin).delete(path).expect(404);
    const types = (await app.as(admin).get(`/changes?entity_type=oauth_client&limit=200`).expect(200)).body.data
      .filter((event: { entity_id: string }) => event.entity_id === program.id)
      .map((event: { type: string }) => event.type);
    expect(types).toEqual(['oauth_client.created', 'oauth_client.updated', 'oauth_client.deleted']);
    const seen = (await app.as(ann).get('/changes?limit=200').expect(200)).body.data;
    expect(JSON.stringify(seen)).not.toContain(program.id);
  });

  it('names all faults of its fields', async () => {
    const create = async (body: object) =>
      fieldErrorsOf((await app.as(admin).post('/oauth-clients').send(body).expect(400)).body);
    expect(await create({ name: 'A' })).toEqual(['redirect_uris required']);
    expect(await create({ name: 'A', grant_types: ['refresh_token'] })).toEqual(['grant_types invalid_value']);
    expect(await create({ ...PROGRAM, grant_types: ['password'], secret: 'mine' })).toEqual([
      'grant_types.0 invalid_value',
      'secret unknown_field',
    ]);
    expect(
      await create({ name: 'A', redirect_uris: ['http://app.example.com/', 'https://a.test/#', CALLBACK] }),
    ).toEqual(['redirect_uris.0 invalid_value', 'redirect_uris.1 invalid_value']);
    const { id } = await registered();
    const change = async (body: object) =>
      fieldErrorsOf((await app.as(admin).patch(`/oauth-clients/${id}`).send(body).expect(400)).body);
    expect(await change({ redirect_uris: [] })).toEqual(['redirect_uris required']);
    expect(await change({ token_endpoint_auth_method: 'client_secret_basic' })).toEqual([
      'token_endpoint_auth_method read_only',
    ]);
  });

  it('gets what a person grants, like the command line', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const begun = await ask(program);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(begun);
    expect(await browser.preview(ann, { authorization })).toMatchObject({
      client_id: id,
      client_name: 'Calendar',
      client_source: 'administrator',
      client_host: null,
      resource: 'api',
    });
    const { access, refresh } = await grantedTokens(app, program, ann);
    await app.as(using(access)).get('/tasks').expect(200);
    await oauth.refreshTokenGrant(program, refresh);
    expect(await grants()).toMatchObject([{ client_id: id, name: 'Calendar', resource: 'api' }]);
  });

  it.each([
    ['client_secret_basic', oauth.ClientSecretPost],
    ['client_secret_post', oauth.ClientSecretBasic],
  ])('proves with its secret that it is itself: %s', async (token_endpoint_auth_method, authentication) => {
    const { id, client_secret: secret } = await registered({ token_endpoint_auth_method });
    expect(secret).toMatch(/^wsc_[0-9A-Za-z]{46}$/);
    for (const proof of [oauth.ClientSecretBasic(secret), authentication(secret)]) {
      const program = await programOf(app, id, proof);
      const { access, refresh } = await grantedTokens(app, program, ann);
      await oauth.refreshTokenGrant(program, refresh);
      await oauth.tokenRevocation(program, access);
      await app.as(using(access)).get('/tasks').expect(401);
    }
    const rows = await app.database.query('SELECT c::text FROM oauth_clients c UNION ALL SELECT e::text FROM events e');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('can use devices only, without an address', async () => {
    const { id } = await registered({ redirect_uris: [], grant_types: [DEVICE, 'refresh_token'] });
    const program = await programOf(app, id);
    const started = await oauth.initiateDeviceAuthorization(program, { scope: 'tasks:read' });
    const named = { user_code: started.user_code };
    const browser = new OauthBrowser(app);
    const { consent_token } = await browser.preview(ann, named);
    await browser.send(ann, '', { ...named, consent_token, scopes: ['tasks:read'] }).expect(200);
    const { device_code } = started;
    const tokens = await oauth.genericGrantRequest(program, DEVICE, { device_code });
    await app.as(using(tokens.access_token)).get('/tasks').expect(200);
    const { location, status } = await new OauthBrowser(app).open((await ask(program)).url);
    expect([status, location]).toEqual([400, null]);
  });

  it('loses all that people have granted to it when it is deleted', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const other = await programOf(app);
    const first = await grantedTokens(app, program, ann);
    const second = await grantedTokens(app, program, await app.person('Ben'));
    const kept = await grantedTokens(app, other, ann);
    const waiting = await ask(program);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(waiting);
    await app.as(admin).delete(`/oauth-clients/${id}`).expect(200);
    for (const { access } of [first, second]) await app.as(using(access)).get('/tasks').expect(401);
    await app.as(using(kept.access)).get('/tasks').expect(200);
    await expect(oauth.refreshTokenGrant(program, first.refresh)).rejects.toMatchObject({ error: 'invalid_client' });
    await browser.send(ann, '/preview', { authorization }).expect(404);
    expect(await grants()).toHaveLength(1);
    const { body } = await app.as(admin).get('/audit?action=access_token.deleted&limit=200').expect(200);
    expect(body.data.filter(({ actor_id }: { actor_id: string }) => actor_id === admin.resourceId)).toHaveLength(2);
  });
});

describe('a program that is known by its document', () => {
  it('is named by the host of the document', async () => {
    const id = documents.publish('/gardener');
    const program = await programOf(app, id);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    expect(await browser.preview(ann, { authorization })).toMatchObject({
      client_id: id,
      client_name: 'Gardener',
      client_source: 'metadata',
      client_host: new URL(id).host,
    });
    const { access, refresh } = await grantedTokens(app, program, ann);
    await app.as(using(access)).get('/tasks').expect(200);
    await oauth.refreshTokenGrant(program, refresh);
    expect(await grants()).toMatchObject([{ client_id: id, name: 'Gardener' }]);
    expect(documents.timesAsked('/gardener')).toBe(1);
    expect(await metadata()).toMatchObject({ client_id_metadata_document_supported: true });
  });

  it('is called like its host without a name, and asks with a device', async () => {
    const id = documents.publish('/nameless', {
      client_name: undefined,
      grant_types: [DEVICE, 'implicit'],
      redirect_uris: [],
    });
    const program = await programOf(app, id);
    const started = await oauth.initiateDeviceAuthorization(program, { scope: 'tasks:read' });
    const asked = await new OauthBrowser(app).preview(ann, { user_code: started.user_code });
    expect(asked).toMatchObject({ client_name: new URL(id).host, client_host: new URL(id).host });
  });

  it('is unknown where documents are not accepted', async () => {
    const closed = await TestApp.open({
      PUBLIC_URL: ISSUER,
      IDENTITY_ALLOW: '127.0.0.0/8',
      OAUTH_REGISTRATION: 'token',
    });
    try {
      const { url } = await ask(await programOf(closed, documents.publish('/unasked')));
      expect((await new OauthBrowser(closed).open(url)).status).toBe(400);
      expect(documents.timesAsked('/unasked')).toBe(0);
      const { text } = await new OauthBrowser(closed).open('/.well-known/oauth-authorization-server');
      expect(JSON.parse(text)).toMatchObject({ client_id_metadata_document_supported: false });
    } finally {
      await closed.close();
    }
  });
});

describe('a program that registers itself', () => {
  const freshToken = async () =>
    (await app.as(admin).post('/oauth-registration-tokens').send({ name: 'Partners' }).expect(201)).body.data;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const sent = { client_name: 'Wanderer', redirect_uris: [CALLBACK], scope: 'tasks:read', logo_uri: 'https://x.test/' };

  it('gets an id, and sees what was registered', async () => {
    expect((await metadata()).registration_endpoint).toBe(`${ISSUER}/oauth/register`);
    const { status, headers, body } = await register(sent);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^cli_[0-9a-f]{32}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Wanderer',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const program = await programOf(app, body.client_id);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    expect(await browser.preview(ann, { authorization })).toMatchObject({ client_source: 'open', client_host: null });
    const { access } = await grantedTokens(app, program, ann);
    await app.as(using(access)).get('/tasks').expect(200);
  });

  it('gets a secret if it asks for one, and is called like its place without a name', async () => {
    const { id, token } = await freshToken();
    const asked = { ...sent, client_name: undefined, token_endpoint_auth_method: 'client_secret_basic' };
    const { status, body } = await register(asked, bearer(token));
    expect([status, body.client_name, body.client_secret_expires_at]).toEqual([201, '127.0.0.1:51004', 0]);
    const program = await programOf(app, body.client_id, oauth.ClientSecretBasic(body.client_secret));
    await grantedTokens(app, program, ann);
    const { body: read } = await app.as(admin).get(`/oauth-clients/${body.client_id}`).expect(200);
    expect(read.data).toMatchObject({ registered_by: 'token', registered_with: id });
    const { body: tokens } = await app.as(admin).get('/oauth-registration-tokens?limit=200').expect(200);
    expect(tokens.data.find((one: { id: string }) => one.id === id).last_used_at).not.toBeNull();
  });

  it.each([
    ['not an object', [], 'invalid_client_metadata'],
    ['not JSON', '{', 'invalid_client_metadata'],
    ['without addresses', { client_name: 'A' }, 'invalid_redirect_uri'],
    ['addresses that are no texts', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    ['an address elsewhere', { redirect_uris: ['http://app.example.com/'] }, 'invalid_redirect_uri'],
    [
      'too many addresses',
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.test/${n}`) },
      'invalid_redirect_uri',
    ],
    ['an unknown method', { ...sent, token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['no usable grant', { ...sent, grant_types: ['password'] }, 'invalid_client_metadata'],
    ['grants that are no texts', { ...sent, grant_types: 'authorization_code' }, 'invalid_client_metadata'],
    ['another response', { ...sent, response_types: ['token'] }, 'invalid_client_metadata'],
    ['responses that are no texts', { ...sent, response_types: 7 }, 'invalid_client_metadata'],
    ['a name that turns the text', { ...sent, client_name: 'Good\u202ereknaB' }, 'invalid_client_metadata'],
    ['a name of two lines', { ...sent, client_name: 'Good\nBank' }, 'invalid_client_metadata'],
    ['no name and no place', { grant_types: [DEVICE] }, 'invalid_client_metadata'],
  ])('is refused with %s', async (_case, body, error) => {
    const refused = await register(body);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
  });

  it('is refused with a body of another type, and one that is too long', async () => {
    const form = await register(JSON.stringify(sent), { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.error]).toEqual([400, 'invalid_client_metadata']);
    const long = await register({ ...sent, padding: 'x'.repeat(20_000) });
    expect([long.status, long.body.error]).toEqual([413, 'invalid_request']);
  });

  it('needs a valid token, if anybody cannot', async () => {
    const closed = await TestApp.open({ PUBLIC_URL: ISSUER });
    try {
      const asked = async (headers: Record<string, string>) => {
        const response = await fetch(`http://127.0.0.1:${closed.port()}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(sent),
        });
        return [response.status, response.headers.get('www-authenticate')];
      };
      expect(await asked({})).toEqual([401, 'Bearer realm="worksmith"']);
      const administrator = await closed.admin();
      const { body } = await closed
        .as(administrator)
        .post('/oauth-registration-tokens')
        .send({ name: 'A' })
        .expect(201);
      const { id, token } = body.data;
      expect((await asked(bearer(token)))[0]).toBe(201);
      expect((await asked(bearer(`${token}x`)))[0]).toBe(401);
      expect((await asked(bearer(administrator.token)))[0]).toBe(401);
      await closed
        .as({ ...administrator, token })
        .get('/tasks')
        .expect(401);
      await closed.as(administrator).delete(`/oauth-registration-tokens/${id}`).expect(200);
      await closed.as(administrator).delete(`/oauth-registration-tokens/${id}`).expect(404);
      expect(await asked(bearer(token))).toEqual([401, 'Bearer realm="worksmith", error="invalid_token"']);
    } finally {
      await closed.close();
    }
  });

  it('cannot where only documents are accepted', async () => {
    const closed = await TestApp.open({ PUBLIC_URL: ISSUER, OAUTH_REGISTRATION: 'metadata' });
    try {
      const response = await fetch(`http://127.0.0.1:${closed.port()}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
      expect(response.status).toBe(404);
      const { text } = await new OauthBrowser(closed).open('/.well-known/oauth-authorization-server');
      expect(JSON.parse(text).registration_endpoint).toBeUndefined();
    } finally {
      await closed.close();
    }
  });

  const purge = async () => {
    await app.database.query(`UPDATE jobs SET due_at = '-infinity' WHERE name = 'unused_programs'`);
    await app.service.runJobs();
  };

  it('is deleted if no person lets it act in time', async () => {
    const { body: unused } = await register(sent);
    const { body: used } = await register(sent);
    await grantedTokens(app, await programOf(app, used.client_id), ann);
    const { token } = await freshToken();
    const { body: admitted } = await register(sent, bearer(token));
    const { id: own } = await registered();
    await app.database.query(`UPDATE oauth_clients SET created_at = now() - interval '25 hours'`);
    await purge();
    const statusOf = async (id: string) => (await app.as(admin).get(`/oauth-clients/${id}`)).status;
    const ids = [unused.client_id, used.client_id, admitted.client_id, own];
    expect(await Promise.all(ids.map(statusOf))).toEqual([404, 200, 200, 200]);
    await app.database.query(`UPDATE oauth_clients SET created_at = now() - interval '31 days'`);
    await purge();
    expect(await Promise.all(ids.map(statusOf))).toEqual([404, 200, 404, 200]);
  });

  it('is one of ten in an hour from one address, and of a thousand that nobody has used', async () => {
    await app.database.query(`DELETE FROM rate_counters WHERE key LIKE 'program_registrations:%'`);
    for (let turn = 0; turn < 10; turn += 1) expect((await register(sent)).status).toBe(201);
    const limited = await register(sent);
    expect([limited.status, limited.body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await app.database.query(`DELETE FROM rate_counters WHERE key LIKE 'program_registrations:%'`);
    await app.database.query(
      `WITH placed AS (INSERT INTO entities (id, kind, title)
         SELECT 'cli_' || lpad(to_hex(n), 32, '0'), 'oauth_client', 'Many' FROM generate_series(1, 1000) n RETURNING id)
       INSERT INTO oauth_clients (id, name, registered_by, redirect_uris, grant_types, auth_method)
       SELECT id, 'Many', 'open', ARRAY['https://a.test/'], ARRAY['authorization_code'], 'none' FROM placed`,
    );
    expect((await register(sent)).status).toBe(429);
  });

  it('can be admitted by one of twenty tokens', async () => {
    await app.database.query(
      'UPDATE oauth_registration_tokens SET ended_at = now(), hash = NULL WHERE ended_at IS NULL',
    );
    for (let turn = 0; turn < 20; turn += 1) await freshToken();
    const full = await app.as(admin).post('/oauth-registration-tokens').send({ name: 'More' }).expect(409);
    expect(reasonOf(full)).toBe('too_many_tokens');
    const { body } = await app.as(admin).get('/oauth-registration-tokens?limit=1').expect(200);
    const [{ id, revision }] = body.data;
    await app
      .as(admin)
      .delete(`/oauth-registration-tokens/${id}`)
      .set('If-Match', `"${revision + 1}"`)
      .expect(412);
  });
});

describe('what a grant opens', () => {
  it('is the interface by default, or the tools for AI, and nothing else', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const resource = `${ISSUER}/mcp`;
    const begun = await ask(program, 'tasks:read', { resource });
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(begun);
    const asked = await browser.preview(ann, { authorization });
    expect(asked.resource).toBe('mcp');
    const { consent_token, scopes } = asked;
    const { body } = await browser.send(ann, '', { authorization, consent_token, scopes }).expect(200);
    const tokens = await redeem(program, await browser.follow(body.data.redirect_to), begun);
    expect(await grants()).toMatchObject([{ resource: 'mcp', client_id: id }]);
    const refused = await app.as(using(tokens.access_token)).get('/tasks').expect(401);
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer realm="worksmith", error="invalid_token", resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api/v1"`,
    );
    const renewed = await oauth.refreshTokenGrant(program, tokens.refresh_token ?? '', { resource });
    await app.as(using(renewed.access_token)).get('/tasks').expect(401);
    const api = { resource: `${ISSUER}/api/v1` };
    await expect(oauth.refreshTokenGrant(program, renewed.refresh_token ?? '', api)).rejects.toMatchObject({
      error: 'invalid_target',
    });
  });

  it('is one of them for a device too', async () => {
    const program = await programOf(app);
    const started = await oauth.initiateDeviceAuthorization(program, {
      scope: 'tasks:read',
      resource: `${ISSUER}/mcp`,
    });
    const browser = new OauthBrowser(app);
    const named = { user_code: started.user_code };
    const { consent_token, resource } = await browser.preview(ann, named);
    expect(resource).toBe('mcp');
    await browser.send(ann, '', { ...named, consent_token, scopes: ['tasks:read'] }).expect(200);
    const { device_code } = started;
    const tokens = await oauth.genericGrantRequest(program, DEVICE, { device_code });
    await app.as(using(tokens.access_token)).get('/tasks').expect(401);
  });
});
