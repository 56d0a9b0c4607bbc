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
import { reasonOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

/** The attacks of RFC 9700 on an authorization server, and on those who use it. */
let app: TestApp;
let program: oauth.Configuration;
let ann: Person;
let eve: Person;

beforeAll(async () => {
  app = await TestApp.open({ PUBLIC_URL: ISSUER, LIMIT_WRITES_PER_MINUTE: '100000' });
  program = await programOf(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  [ann, eve] = await Promise.all([app.person('Ann'), app.person('Eve')]);
});

const using = (token: string): Person => ({ ...ann, token });
const invalid = { error: 'invalid_grant' };

/** Sends a form to an endpoint as a program would, without the checks of the library. */
async function send(path: string, form: Record<string, string>) {
  const response = await fetch(`http://127.0.0.1:${app.port()}/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

describe('redirect addresses (RFC 9700, section 4.1)', () => {
  it.each([
    'https://evil.test/callback',
    'http://127.0.0.1:51004/callback/../evil',
    'http://127.0.0.1:51004/callback?next=https://evil.test',
    'http://127.0.0.1:51004/callback#fragment',
    'http://127.0.0.1:51004/callback/',
    'http://127.0.0.1:51004/CALLBACK',
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1@evil.test/callback',
    'http://user@127.0.0.1:51004/callback',
    'http://127.0.0.1:51004@evil.test/callback',
    'http://localhost:51004/callback',
    'http://127.1:51004/callback',
    'https://127.0.0.1:51004/callback',
    'javascript:alert(1)',
    'http://127.0.0.1:51004/callback\r\nlocation: https://evil.test',
  ])('sends nobody to %s', async (redirectUri) => {
    const { url } = await ask(program, 'tasks:read', { redirect_uri: redirectUri });
    const { status, location, text } = await new OauthBrowser(app).open(url);
    expect([status, location]).toEqual([400, null]);
    expect(text).not.toContain('<script>');
  });

  it('takes any port of this machine, because programs cannot choose theirs', async () => {
    for (const port of ['', ':1', ':65535']) {
      const { url } = await ask(program, 'tasks:read', { redirect_uri: `http://127.0.0.1${port}/callback` });
      await new OauthBrowser(app).begin({ url });
    }
  });

  it('does not redirect for an unknown program, and runs no script that the address contains', async () => {
    const unknown = await ask(program, 'tasks:read', { client_id: '"><script>alert(1)</script>' });
    const { status, location, text } = await new OauthBrowser(app).open(unknown.url);
    expect([status, location]).toEqual([400, null]);
    expect(text).not.toContain('<script>');
  });

  it('are those of the request when the code is redeemed', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const { body } = await send('token', {
      grant_type: 'authorization_code',
      client_id: CLIENT,
      code: returned.searchParams.get('code') ?? '',
      code_verifier: begun.verifier,
      redirect_uri: 'http://127.0.0.1:51005/callback',
    });
    expect(body.error).toBe('invalid_grant');
  });
});

describe('codes (RFC 9700, sections 4.5 and 2.1.1)', () => {
  it('are of no use without the verifier of the program that began', async () => {
    const [victim, attacker] = [await ask(program), await ask(program)];
    const returned = await new OauthBrowser(app).consent(ann, victim);
    const stolen = oauth.authorizationCodeGrant(program, returned, {
      pkceCodeVerifier: attacker.verifier,
      expectedState: victim.state,
    });
    await expect(stolen).rejects.toMatchObject(invalid);
    const code = returned.searchParams.get('code') ?? '';
    const bare = { grant_type: 'authorization_code', client_id: CLIENT, code, redirect_uri: CALLBACK };
    expect((await send('token', bare)).body.error).toBe('invalid_grant');
    await redeem(program, returned, victim);
  });

  it('are not given without a challenge, nor for a plain one', async () => {
    const { url } = await ask(program);
    for (const change of [
      (query: URLSearchParams) => query.delete('code_challenge'),
      (query: URLSearchParams) => {
        query.delete('code_challenge');
        query.delete('code_challenge_method');
      },
      (query: URLSearchParams) => query.set('code_challenge_method', 'plain'),
      (query: URLSearchParams) => query.delete('code_challenge_method'),
    ]) {
      const weak = new URL(url);
      change(weak.searchParams);
      const { location } = await new OauthBrowser(app).open(weak);
      expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
    }
  });

  it('are good for once, and a second use ends what the first one got', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const { access_token: access } = await redeem(program, returned, begun);
    await app.as(using(access)).get('/tasks').expect(200);
    await expect(redeem(program, returned, begun)).rejects.toMatchObject(invalid);
    await app.as(using(access)).get('/tasks').expect(401);
  });

  it('give at most one of two that both found them unused a token, which the other one ends', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const holder = await app.openConnection();
    try {
      // Both have read the code before either can write that it is used.
      await holder.query('BEGIN');
      await holder.query(`SELECT FROM oauth_items WHERE model = 'AuthorizationCode' FOR UPDATE`);
      const redeemed = [0, 1].map(() => redeem(program, returned, begun));
      await app.untilLockWaits(2);
      await holder.query('COMMIT');
      const results = await Promise.allSettled(redeemed);
      // The other one ends the grant before or after the token is made.
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      for (const reason of refused) expect(reason).toMatchObject(invalid);
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.access_token] : []));
      expect(won.length).toBeLessThanOrEqual(1);
      for (const access of won) await app.as(using(access)).get('/tasks').expect(401);
    } finally {
      await holder.end();
    }
  });

  it('give one of many that redeem them at once at most one token, which is ended then', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => redeem(program, returned, begun)));
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.access_token] : []));
    expect(won.length).toBeLessThanOrEqual(1);
    for (const access of won) await app.as(using(access)).get('/tasks').expect(401);
    const { body } = await app.as(ann).get('/auth/grants').expect(200);
    expect(body.data).toEqual([]);
  });
});

describe('mix-up and other kinds of answers (RFC 9700, sections 4.4 and 2.1.2)', () => {
  it('are recognized by the issuer in the answer, which the library compares', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    expect(returned.searchParams.get('iss')).toBe(ISSUER);
    const mixed = new URL(returned);
    mixed.searchParams.set('iss', 'https://evil.test');
    await expect(redeem(program, mixed, begun)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  });

  it.each([
    ['response_type', 'token', 'invalid_request'],
    ['response_type', 'code id_token', 'invalid_request'],
    ['response_mode', 'fragment', 'invalid_request'],
    ['response_mode', 'form_post', 'invalid_request'],
    ['resource', 'https://evil.test/', 'invalid_target'],
    ['resource', `${ISSUER}/other`, 'invalid_target'],
    ['request', 'eyJhbGciOiJub25lIn0.e30.', 'request_not_supported'],
    ['request_uri', 'https://evil.test/request', 'request_uri_not_supported'],
  ])('%s=%s is refused', async (name, value, error) => {
    const { url } = await ask(program, 'tasks:read', { [name]: value });
    const { location, text } = await new OauthBrowser(app).open(url);
    expect(`${location} ${text}`).toContain(error);
    expect(`${location}`).not.toContain('code=');
  });

  it('takes no passwords of people', async () => {
    const form = { grant_type: 'password', client_id: CLIENT, username: ann.email, password: 'any' };
    expect((await send('token', form)).body.error).toBe('unsupported_grant_type');
  });
});

describe('the request of another browser (RFC 9700, section 4.7)', () => {
  it('cannot be consented to: a stranger would be let in', async () => {
    const [evil, victim] = [new OauthBrowser(app), new OauthBrowser(app)];
    const authorization = await evil.begin(await ask(program));
    await victim.begin(await ask(program));
    for (const browser of [victim, new OauthBrowser(app)]) {
      await browser.send(ann, '/preview', { authorization }).expect(404);
      await browser.send(ann, '', { authorization, consent_token: 'any', scopes: ['tasks:read'] }).expect(404);
      await browser.send(ann, '/refuse', { authorization }).expect(404);
    }
    const other = await victim.begin(await ask(program));
    const { location, status } = await new OauthBrowser(app).open(`/oauth/authorize/${other}`);
    expect([status, location]).toEqual([400, null]);
    // A browser sends the cookie of another request to the path of that request only; here it is sent anyway.
    expect((await evil.open(`/oauth/authorize/${other}`)).location).not.toContain('code=');
  });

  it('cannot be consented to with what another session was shown, nor twice', async () => {
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    const { consent_token, scopes } = await browser.preview(eve, { authorization });
    const foreign = await browser.send(ann, '', { authorization, consent_token, scopes }).expect(400);
    expect(foreign.body.error.code).toBe('verification_failed');
    const own = await browser.preview(ann, { authorization });
    const sent = { authorization, consent_token: own.consent_token, scopes };
    await browser.send(ann, '', sent).expect(200);
    await browser.send(ann, '', sent).expect(404);
    await browser.send(ann, '/refuse', { authorization }).expect(404);
    const { body } = await app.as(ann).get('/auth/grants').expect(200);
    expect(body.data).toHaveLength(1);
  });

  it('cannot be decided with a cookie alone, nor without a recent proof', async () => {
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    const { consent_token, scopes } = await browser.preview(ann, { authorization });
    const sent = { authorization, consent_token, scopes };
    await app.as(null).post('/auth/consents').set('Cookie', browser.cookie).send(sent).expect(401);
    await app.database.query(`UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [ann.id]);
    expect(reasonOf(await browser.send(ann, '', sent).expect(403))).toBe('proof_required');
  });

  it('expires after ten minutes', async () => {
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(program));
    await app.database.query(`UPDATE oauth_items SET expires_at = now() WHERE model = 'Interaction'`);
    await browser.send(ann, '/preview', { authorization }).expect(404);
  });
});

describe('tokens (RFC 9700, sections 2.2 and 4.14)', () => {
  it('that two use again after the grace end the grant for both', async () => {
    const { refresh } = await grantedTokens(app, program, ann);
    const stolen = await oauth.refreshTokenGrant(program, refresh);
    await app.database.query(
      `UPDATE oauth_items SET consumed_at = consumed_at - interval '31 seconds' WHERE consumed_at IS NOT NULL`,
    );
    await expect(oauth.refreshTokenGrant(program, refresh)).rejects.toMatchObject(invalid);
    await expect(oauth.refreshTokenGrant(program, stolen.refresh_token ?? '')).rejects.toMatchObject(invalid);
    await app.as(using(stolen.access_token)).get('/tasks').expect(401);
  });

  it('are not widened by asking for more', async () => {
    const { refresh, scope } = await grantedTokens(app, program, ann, { scopes: ['tasks:read'] });
    expect(scope).toBe('tasks:read');
    const wider = oauth.refreshTokenGrant(program, refresh, { scope: 'tasks:read tasks:write' });
    await expect(wider).rejects.toMatchObject({ error: 'invalid_scope' });
    const other = {
      grant_type: 'refresh_token',
      client_id: CLIENT,
      refresh_token: refresh,
      resource: 'https://evil.test',
    };
    expect((await send('token', other)).body.error).toBe('invalid_target');
  });

  it('end with the password that is changed', async () => {
    const { access, refresh } = await grantedTokens(app, program, ann);
    const hash = await app.service.hashPassword('two wooden ladders');
    await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [ann.id, hash]);
    const change = { current_password: 'two wooden ladders', new_password: 'three wooden ladders' };
    await app.as(ann).post('/auth/change-password').send(change).expect(200);
    await app.as(using(access)).get('/tasks').expect(401);
    await expect(oauth.refreshTokenGrant(program, refresh)).rejects.toMatchObject(invalid);
  });

  it('are stored by their hashes only, as codes are', async () => {
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const code = returned.searchParams.get('code') ?? '';
    const { access_token: access, refresh_token: refresh } = await redeem(program, returned, begun);
    const device = await oauth.initiateDeviceAuthorization(program, { scope: 'tasks:read' });
    const rows = await app.database.query(
      `SELECT i::text FROM oauth_items i UNION ALL SELECT a::text FROM access_tokens a
       UNION ALL SELECT k::text FROM access_token_secrets k UNION ALL SELECT e::text FROM events e`,
    );
    const stored = JSON.stringify(rows);
    const secrets = [code, access, refresh ?? '', device.device_code, device.user_code];
    for (const secret of [...secrets, device.user_code.replace('-', '')]) expect(stored).not.toContain(secret);
  });

  it('are never cached, and a program cannot end those of another', async () => {
    const { refresh, access } = await grantedTokens(app, program, ann);
    const form = { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: refresh };
    expect((await send('token', form)).headers.get('cache-control')).toBe('no-store');
    expect((await send('revoke', { client_id: 'another', token: access })).body.error).toBe('invalid_client');
    await app.as(using(access)).get('/tasks').expect(200);
  });
});
