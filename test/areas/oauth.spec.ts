import * as oauth from 'openid-client';
import {
  ask,
  CALLBACK,
  CLIENT,
  grantedTokens,
  ISSUER,
  OauthBrowser,
  programOf,
  redeem,
} from '../support/oauth-browser.js';
import { fieldErrorsOf, reasonOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let program: oauth.Configuration;
let ann: Person;

beforeAll(async () => {
  app = await TestApp.open({ PUBLIC_URL: ISSUER, LIMIT_WRITES_PER_MINUTE: '100000' });
  program = await programOf(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
});

const using = (token: string): Person => ({ ...ann, token });
const grants = async (person = ann) => (await app.as(person).get('/auth/grants').expect(200)).body.data;
const refresh = (token: string) => oauth.refreshTokenGrant(program, token);
const revoked = { error: 'invalid_grant' };
const json = async (path: string) => JSON.parse((await new OauthBrowser(app).open(path)).text);

describe('the metadata', () => {
  it('says where programs find what, and for which resource', async () => {
    const server = await json('/.well-known/oauth-authorization-server');
    expect(server).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      client_id_metadata_document_supported: true,
      registration_endpoint: `${ISSUER}/oauth/register`,
      authorization_response_iss_parameter_supported: true,
    });
    expect(server.scopes_supported).toContain('tasks:read');
    expect(server.scopes_supported).not.toContain('*');
    const resource = await json('/.well-known/oauth-protected-resource/api/v1');
    expect(resource).toMatchObject({ resource: `${ISSUER}/api/v1`, authorization_servers: [ISSUER] });
  });
});

describe('a program that a person lets act', () => {
  it('gets an access token for an hour with what was granted, and nothing more', async () => {
    const begun = await ask(program);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(begun);
    const asked = await browser.preview(ann, { authorization });
    expect(asked).toMatchObject({
      client_id: CLIENT,
      client_name: 'Worksmith command line',
      redirect_host: '127.0.0.1:51004',
      scopes: ['tasks:read', 'tasks:write'],
    });
    const sent = { authorization, consent_token: asked.consent_token, scopes: ['tasks:read'] };
    const { body } = await browser.send(ann, '', sent).expect(200);
    expect(body.data.status).toBe('granted');
    const tokens = await redeem(program, await browser.follow(body.data.redirect_to), begun);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'tasks:read' });
    expect(tokens.access_token).toMatch(/^wsk_[0-9A-Za-z]{46}$/);
    expect(tokens.refresh_token).toMatch(/^wsr_[0-9A-Za-z]{46}$/);
    expect(tokens.id_token).toBeUndefined();
    const robot = using(tokens.access_token);
    await app.as(robot).get('/tasks').expect(200);
    const endeavour = await app.endeavour(ann);
    expect(
      reasonOf(await app.as(robot).post('/tasks').send({ title: 'Rake', endeavour_id: endeavour }).expect(403)),
    ).toBe('scope_required');
    expect(reasonOf(await app.as(robot).get('/auth/grants').expect(403))).toBe('session_required');
    expect(reasonOf(await app.as(robot).post('/auth/consents/preview').send({}).expect(403))).toBe('session_required');
  });

  it('never gets more than its person has at the time of use', async () => {
    const owner = await app.person('Ben');
    const endeavour = await app.endeavour(owner);
    await app.join(endeavour, ann, 'member');
    const { access } = await grantedTokens(app, program, ann);
    const task = await app.task(owner, endeavour);
    await app.as(using(access)).get(`/tasks/${task}`).expect(200);
    await app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
      endeavour,
      ann.id,
    ]);
    await app.as(using(access)).get(`/tasks/${task}`).expect(404);
  });

  it('sees only the container to which the grant is restricted', async () => {
    const organization = await app.organization(ann);
    const [inside, outside] = [
      await app.endeavour(ann, { organization_id: organization }),
      await app.endeavour(ann, { name: 'Elsewhere' }),
    ];
    const task = await app.task(ann, inside);
    const other = await app.task(ann, outside);
    const { access } = await grantedTokens(app, program, ann, { organization_id: organization });
    await app.as(using(access)).get(`/tasks/${task}`).expect(200);
    await app.as(using(access)).get(`/tasks/${other}`).expect(404);
    const { access: narrow } = await grantedTokens(app, program, ann, { endeavour_id: outside });
    await app.as(using(narrow)).get(`/tasks/${other}`).expect(200);
    await app.as(using(narrow)).get(`/tasks/${task}`).expect(404);
    expect((await grants()).map((one: { endeavour_id: string }) => one.endeavour_id).toSorted()).toEqual(
      [null, outside].toSorted(),
    );
  });

  it('is listed with its last use, apart from access tokens, until its person ends the grant', async () => {
    const { access, refresh: renewing } = await grantedTokens(app, program, ann);
    await tokenOf(app, ann);
    const [grant, ...rest] = await grants();
    expect(rest).toEqual([]);
    expect(grant).toMatchObject({
      client_id: CLIENT,
      name: 'Worksmith command line',
      scopes: ['tasks:read', 'tasks:write'],
      organization_id: null,
      endeavour_id: null,
      last_used_at: null,
      revision: 1,
    });
    const { body: tokens } = await app.as(ann).get('/auth/tokens').expect(200);
    expect(tokens.data.map(({ name }: { name: string }) => name)).toEqual(['Robot']);
    await app.as(ann).get(`/auth/tokens/${grant.id}`).expect(404);
    await app.as(ann).post(`/auth/tokens/${grant.id}/rotate`).expect(404);
    await app
      .as(await app.person('Eve'))
      .delete(`/auth/grants/${grant.id}`)
      .expect(404);
    await app.as(ann).delete(`/auth/grants/${tokens.data[0].id}`).expect(404);
    await app.as(ann).delete(`/auth/grants/${grant.id}`).set('If-Match', '"7"').expect(412);
    const { body } = await app.as(ann).delete(`/auth/grants/${grant.id}`).expect(200);
    expect(body.data).toEqual({ id: grant.id, deleted: true });
    await app.as(using(access)).get('/tasks').expect(401);
    await expect(refresh(renewing)).rejects.toMatchObject(revoked);
    expect(await grants()).toEqual([]);
    const { body: audited } = await app
      .as(await app.admin())
      .get(`/audit?entity_id=${grant.id}`)
      .expect(200);
    expect(audited.data.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'access_token.created',
      'access_token.deleted',
    ]);
  });

  it('can end its grant itself', async () => {
    const { access, refresh: renewing } = await grantedTokens(app, program, ann);
    await oauth.tokenRevocation(program, renewing);
    await app.as(using(access)).get('/tasks').expect(401);
    const other = await grantedTokens(app, program, ann);
    await oauth.tokenRevocation(program, other.access);
    await expect(refresh(other.refresh)).rejects.toMatchObject(revoked);
    expect(await grants()).toEqual([]);
  });

  it('waits ten minutes for its code, which is good for one', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    await app.database.query(`UPDATE oauth_items SET expires_at = now() WHERE model = 'AuthorizationCode'`);
    await expect(redeem(program, returned, begun)).rejects.toMatchObject(revoked);
    const [grant] = await grants();
    expect(Math.round((Date.parse(grant.expires_at) - Date.parse(grant.created_at)) / 1_000)).toBe(600);
  });

  it('is one of twenty at most, beside fifty access tokens', async () => {
    await app.database.query(
      `INSERT INTO entities (id, kind, owner_user_id, title)
       SELECT 'tok_' || lpad(to_hex(n), 32, 'a'), 'access_token', $1, 'Grant' FROM generate_series(1, 19) n`,
      [ann.id],
    );
    await app.database.query(
      `INSERT INTO access_tokens (id, user_id, made_by, kind, client_id, resource, name, scopes, expires_at)
       SELECT 'tok_' || lpad(to_hex(n), 32, 'a'), $1, $1, 'oauth', 'worksmith-cli', 'api', 'One', '{tasks:read}',
         now() + interval '1 day' FROM generate_series(1, 19) n`,
      [ann.id],
    );
    await tokenOf(app, ann);
    await grantedTokens(app, program, ann);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    const { consent_token, scopes } = await browser.preview(ann, { authorization });
    const full = await browser.send(ann, '', { authorization, consent_token, scopes }).expect(409);
    expect(reasonOf(full)).toBe('too_many_tokens');
  });
});

describe('a refresh token', () => {
  it('is replaced at each use, and moves the end of the grant', async () => {
    const first = await grantedTokens(app, program, ann);
    await app.database.query(`UPDATE access_tokens SET expires_at = now() + interval '1 day' WHERE kind = 'oauth'`);
    const second = await refresh(first.refresh);
    expect(second.refresh_token).not.toBe(first.refresh);
    await app.as(using(second.access_token)).get('/tasks').expect(200);
    const [grant] = await grants();
    expect(Math.round((Date.parse(grant.expires_at) - Date.now()) / 86_400_000)).toBe(30);
  });

  it('works for thirty seconds more, because a response can be lost', async () => {
    const first = await grantedTokens(app, program, ann);
    await refresh(first.refresh);
    const again = await refresh(first.refresh);
    await app.as(using(again.access_token)).get('/tasks').expect(200);
  });

  it('ends the grant and all of its tokens when it is used again later', async () => {
    const first = await grantedTokens(app, program, ann);
    const second = await refresh(first.refresh);
    await app.database.query(
      `UPDATE oauth_items SET consumed_at = consumed_at - interval '31 seconds' WHERE consumed_at IS NOT NULL`,
    );
    await expect(refresh(first.refresh)).rejects.toMatchObject(revoked);
    await app.as(using(second.access_token)).get('/tasks').expect(401);
    await expect(refresh(second.refresh_token ?? '')).rejects.toMatchObject(revoked);
    expect(await grants()).toEqual([]);
  });

  it('renews nothing for a suspended person, and again when the suspension ends', async () => {
    const { access, refresh: renewing } = await grantedTokens(app, program, ann);
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [ann.id]);
    await app.as(using(access)).get('/tasks').expect(401);
    await expect(refresh(renewing)).rejects.toMatchObject(revoked);
    await app.database.query(`UPDATE users SET status = 'active' WHERE id = $1`, [ann.id]);
    await refresh(renewing);
  });

  it('is of no use at the interface', async () => {
    const { refresh: renewing } = await grantedTokens(app, program, ann);
    await app.as(using(renewing)).get('/tasks').expect(401);
  });
});

describe('the consent', () => {
  it('can be refused, and the program is told', async () => {
    const begun = await ask(program);
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(begun);
    const { body } = await browser.send(ann, '/refuse', { authorization }).expect(200);
    expect(body.data.status).toBe('refused');
    const returned = await browser.follow(body.data.redirect_to);
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({
      error: 'access_denied',
      state: begun.state,
      iss: ISSUER,
    });
    expect(await grants()).toEqual([]);
  });

  it('is asked for again for the next request of the same program', async () => {
    await grantedTokens(app, program, ann);
    const browser = new OauthBrowser(app);
    await browser.consent(ann, await ask(program));
    expect(await browser.begin(await ask(program))).toMatch(/^[\w-]{43}$/);
    expect(await browser.begin(await ask(program, 'tasks:read', { prompt: 'login' }))).toMatch(/^[\w-]{43}$/);
    const { location } = await browser.open((await ask(program, 'tasks:read', { prompt: 'none' })).url);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('consent_required');
  });

  it('names the request in one way, and grants only what is asked for', async () => {
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program, 'tasks:read unheard:of *'));
    const { scopes, consent_token } = await browser.preview(ann, { authorization });
    expect(scopes).toEqual(['tasks:read']);
    const both = await browser.send(ann, '/preview', { authorization, user_code: 'WDJB-MJHT' }).expect(400);
    expect(fieldErrorsOf(both.body)).toEqual(['user_code invalid_value']);
    const more = { authorization, consent_token, scopes: ['tasks:read', 'tasks:write'] };
    expect(fieldErrorsOf((await browser.send(ann, '', more).expect(400)).body)).toEqual(['scopes.1 invalid_value']);
    const all = { authorization, consent_token, scopes: ['*'] };
    expect(fieldErrorsOf((await browser.send(ann, '', all).expect(400)).body)).toEqual(['scopes.0 invalid_value']);
    const [endeavour, organization] = [await app.endeavour(ann), await app.organization(ann)];
    const twice = { authorization, consent_token, scopes, endeavour_id: endeavour, organization_id: organization };
    expect(fieldErrorsOf((await browser.send(ann, '', twice).expect(400)).body)).toEqual([
      'endeavour_id invalid_value',
    ]);
  });

  it('needs a scope that exists', async () => {
    const { location } = await new OauthBrowser(app).open((await ask(program, 'openid')).url);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('a device', () => {
  const DEVICE = { scope: 'tasks:read tasks:write' };
  const poll = (started: oauth.DeviceAuthorizationResponse) =>
    oauth.genericGrantRequest(program, 'urn:ietf:params:oauth:grant-type:device_code', {
      device_code: started.device_code,
    });

  it('gets its tokens when a person has typed its code', async () => {
    const started = await oauth.initiateDeviceAuthorization(program, DEVICE);
    expect(started.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(started.expires_in).toBe(600);
    expect(started.verification_uri).toBe(`${ISSUER}/oauth/consent/device`);
    await expect(poll(started)).rejects.toMatchObject({ error: 'authorization_pending' });
    const browser = new OauthBrowser(app);
    const named = { user_code: started.user_code.toLowerCase() };
    const { consent_token, redirect_host } = await browser.preview(ann, named);
    expect(redirect_host).toBeNull();
    const { body } = await browser.send(ann, '', { ...named, consent_token, scopes: ['tasks:read'] }).expect(200);
    expect(body.data).toEqual({ status: 'granted', redirect_to: null });
    await browser.send(ann, '/preview', named).expect(404);
    const tokens = await poll(started);
    expect(tokens.scope).toBe('tasks:read');
    await app.as(using(tokens.access_token)).get('/tasks').expect(200);
    await expect(poll(started)).rejects.toMatchObject(revoked);
    // A code that is used twice ends the grant.
    await app.as(using(tokens.access_token)).get('/tasks').expect(401);
  });

  it('is told that the person has refused', async () => {
    const started = await oauth.initiateDeviceAuthorization(program, DEVICE);
    const named = { user_code: started.user_code };
    const { body } = await new OauthBrowser(app).send(ann, '/refuse', named).expect(200);
    expect(body.data).toEqual({ status: 'refused', redirect_to: null });
    await expect(poll(started)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('is not found by guesses: five wrong codes are accepted, and right ones do not count', async () => {
    const browser = new OauthBrowser(app);
    const started = await oauth.initiateDeviceAuthorization(program, DEVICE);
    for (let turn = 0; turn < 7; turn += 1) await browser.preview(ann, { user_code: started.user_code });
    for (let turn = 0; turn < 5; turn += 1) await browser.send(ann, '/preview', { user_code: 'BBBB-BBBB' }).expect(404);
    const limited = await browser.send(ann, '/preview', { user_code: started.user_code }).expect(429);
    expect(limited.body.error.details.limit).toBe('device_codes');
    await browser.preview(await app.person('Ben'), { user_code: started.user_code });
  });
});

describe('the page for consent', () => {
  it('runs its own scripts only, and cannot be framed', async () => {
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    for (const path of [`/oauth/consent/${authorization}`, '/oauth/consent/device']) {
      const { status, headers, text } = await browser.open(path);
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(text).toContain('consent.js');
      expect(text).not.toMatch(/checked|<script>/);
    }
  });

  it('tells a person in their language why a request cannot go on', async () => {
    const bad = `/oauth/authorize?client_id=${CLIENT}&redirect_uri=https://evil.test/&response_type=code`;
    const { status, headers, text, location } = await new OauthBrowser(app).open(bad);
    expect([status, location]).toEqual([400, null]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('Go back to the program');
    const german = await fetch(`http://127.0.0.1:${app.port()}${bad}`, { headers: { 'accept-language': 'de-AT' } });
    expect(await german.text()).toContain('Kehren Sie zum Programm zurück');
  });

  it('binds requests to the browser with cookies that no other site can set', async () => {
    const secure = await TestApp.open({ PUBLIC_URL: 'https://work.example.test', WEBAUTHN_ORIGINS: '' });
    try {
      const query = new URLSearchParams({
        client_id: CLIENT,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'tasks:read',
        code_challenge: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
        code_challenge_method: 'S256',
      });
      const response = await fetch(`http://127.0.0.1:${secure.port()}/oauth/authorize?${query.toString()}`, {
        redirect: 'manual',
      });
      const cookies = response.headers.getSetCookie();
      const consent = cookies.find((cookie) => cookie.startsWith('__Host-worksmith-consent='));
      expect(consent).toMatch(/; path=\/;.*samesite=lax; secure; httponly$/);
      expect(consent).not.toMatch(/domain/i);
      expect(cookies.every((cookie) => cookie.startsWith('__') && /; secure/.test(cookie))).toBe(true);
    } finally {
      await secure.close();
    }
  });
});
