import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import * as oauth from 'openid-client';
import { startNameServer } from '../faults/support/name-server.mjs';
import { ask, CALLBACK, grantedTokens, ISSUER, OauthBrowser, programOf, redeem } from '../support/oauth-browser.js';
import { ProgramDocuments } from '../support/program-documents.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

/** Addresses by host; some change as soon as they have been asked for. */
class Addresses extends Map<string, string> {
  readonly later = new Map<string, string>();

  override get(name: string): string | undefined {
    const address = super.get(name);
    const next = this.later.get(name);
    if (address !== undefined && next !== undefined) this.set(name, next);
    return address;
  }
}

/** The attacks of RFC 9700 by and on programs that are registered, or known by their documents. */
const addresses = new Addresses();
let names: Awaited<ReturnType<typeof startNameServer>>;
let app: TestApp;
let documents: ProgramDocuments;
let admin: Person;
let ann: Person;

const SETTINGS = {
  PUBLIC_URL: ISSUER,
  LIMIT_WRITES_PER_MINUTE: '100000',
  // Only this address of the machine, so that the others stand for a private network.
  IDENTITY_ALLOW: '127.0.0.1/32',
};

beforeAll(async () => {
  [documents, names] = await Promise.all([ProgramDocuments.start(), startNameServer(addresses)]);
  app = await TestApp.open({ ...SETTINGS, WEBHOOK_RESOLVERS: names.address });
});
afterAll(async () => {
  await app.close();
  await Promise.all([documents.stop(), names.close()]);
});
beforeEach(async () => {
  [admin, ann] = [await app.admin(), await app.person('Ann')];
});

const using = (token: string): Person => ({ ...ann, token });
const invalid = { error: 'invalid_grant' };

async function registered(more: object = {}): Promise<{ id: string; secret: string }> {
  const program = { name: 'Calendar', redirect_uris: [CALLBACK], ...more };
  const { body } = await app.as(admin).post('/oauth-clients').send(program).expect(201);
  return { id: body.data.id, secret: body.data.client_secret };
}

/** Sends a form to an endpoint as a program would, without the checks of the library. */
async function send(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${app.port()}/oauth/${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** What the service says to the request of a program, without sending anybody on. */
async function refusalOf(clientId: string, more: Record<string, string> = {}): Promise<string> {
  const { url } = await ask(await programOf(app, clientId), 'tasks:read', more);
  const { status, location, text } = await new OauthBrowser(app).open(url);
  expect([status, location]).toEqual([400, null]);
  return text;
}

describe('an address for answers (RFC 9700, section 4.1)', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example.com/1',
    'about:blank',
    'app:/callback',
    'http://app.example.com/callback',
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1@evil.test/callback',
    'http://localhost.evil.test/callback',
    'http://localhost./callback',
    'http://10.0.0.1/callback',
    'http://[::]/callback',
    'https://127.0.0.1/callback',
    'https://*.example.com/callback',
    'https://app.example.com/*',
    'https://app.example.com/callback#',
    'https://app.example.com/callback#fragment',
    'https://user@app.example.com/callback',
    'https://user:secret@app.example.com/callback',
    'https://app.example.com\\@evil.test/callback',
    'https://app.example.com/call back',
    'https://app.example.com/\r\nlocation: https://evil.test',
    'https://app.ex\u0430mple.com/callback',
    '//evil.test/callback',
    '/callback',
    'callback',
  ])('cannot be %s', async (uri) => {
    const sent = { name: 'Evil', redirect_uris: [uri] };
    const { body } = await app.as(admin).post('/oauth-clients').send(sent).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['redirect_uris.0 invalid_value']);
  });

  it('is shown as the letters of its network name, so that look-alikes are seen', async () => {
    const uri = 'https://xn--app-exmple-xkf.com/callback';
    const { id } = await registered({ redirect_uris: [uri] });
    const browser = new OauthBrowser(app);
    const { url } = await ask(await programOf(app, id), 'tasks:read', { redirect_uri: uri });
    const authorization = await browser.begin({ url });
    expect((await browser.preview(ann, { authorization })).redirect_host).toBe('xn--app-exmple-xkf.com');
  });

  it('is compared exactly with those of the same program', async () => {
    const { id } = await registered({
      redirect_uris: ['https://app.example.com/callback', 'com.example.app:/callback', 'http://localhost/callback'],
    });
    await registered({ redirect_uris: ['https://other.example.com/callback'] });
    for (const redirect_uri of [
      'https://app.example.com/callback/',
      'https://app.example.com/callback?next=1',
      'https://app.example.com/CALLBACK',
      'https://app.example.com:8443/callback',
      'https://APP.example.com/callback',
      'https://app.example.com/x/../callback',
      'https://other.example.com/callback',
      'com.example.app:/other',
      'com.example.other:/callback',
      'http://localhost:99999/callback',
      'http://127.0.0.1/callback',
    ]) {
      expect(await refusalOf(id, { redirect_uri })).toContain('invalid_redirect_uri');
    }
    for (const redirect_uri of ['com.example.app:/callback', 'http://localhost:4711/callback']) {
      const { url } = await ask(await programOf(app, id), 'tasks:read', { redirect_uri });
      await new OauthBrowser(app).begin({ url });
    }
  });

  it('that is taken away gets no answer any more, whatever waits', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const [waiting, consented] = [new OauthBrowser(app), new OauthBrowser(app)];
    const authorization = await waiting.begin(await ask(program));
    const { consent_token, scopes } = await waiting.preview(ann, { authorization });
    const begun = await ask(program);
    const returned = await consented.consent(ann, begun);
    const change = { redirect_uris: ['https://app.example.com/callback'] };
    await app.as(admin).patch(`/oauth-clients/${id}`).send(change).expect(200);
    await waiting.send(ann, '', { authorization, consent_token, scopes }).expect(404);
    await expect(redeem(program, returned, begun)).rejects.toMatchObject(invalid);
  });
});

describe('a program that is deleted or changed between consent and token', () => {
  it('gets nothing for its code, and nobody can consent any more', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const begun = await ask(program);
    const browser = new OauthBrowser(app);
    const returned = await browser.consent(ann, begun);
    const authorization = await browser.begin(await ask(program));
    const { consent_token, scopes } = await browser.preview(ann, { authorization });
    await app.as(admin).delete(`/oauth-clients/${id}`).expect(200);
    await expect(redeem(program, returned, begun)).rejects.toMatchObject({ error: 'invalid_client' });
    await browser.send(ann, '', { authorization, consent_token, scopes }).expect(404);
    expect((await app.as(ann).get('/auth/grants').expect(200)).body.data).toEqual([]);
  });

  it('is consented to under the name that was shown only', async () => {
    const { id } = await registered();
    const browser = new OauthBrowser(app);
    const authorization = await browser.begin(await ask(await programOf(app, id)));
    const { consent_token, scopes } = await browser.preview(ann, { authorization });
    await app.as(admin).patch(`/oauth-clients/${id}`).send({ name: 'Your bank' }).expect(200);
    const { body } = await browser.send(ann, '', { authorization, consent_token, scopes }).expect(400);
    expect(body.error.code).toBe('verification_failed');
  });
});

describe('a program with a secret (RFC 9700, section 2.5)', () => {
  const secretly = { token_endpoint_auth_method: 'client_secret_post' };
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });

  it('gets nothing without it, or with a wrong one', async () => {
    const { id, secret } = await registered(secretly);
    const other = await registered(secretly);
    const program = await programOf(app, id, oauth.ClientSecretPost(secret));
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const code = {
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code') ?? '',
      code_verifier: begun.verifier,
      redirect_uri: CALLBACK,
    };
    const faulty: [Record<string, string>, Record<string, string>?][] = [
      [{ client_id: id }],
      [{ client_id: id, client_secret: '' }],
      [{ client_id: id, client_secret: `${secret}x` }],
      [{ client_id: id, client_secret: other.secret }],
      [{ client_id: id, client_secret: secret.toLowerCase() }],
      [{}, basic(id, other.secret)],
      [{}, basic(id, '')],
    ];
    for (const [form, headers] of faulty) {
      const { status, body } = await send('token', { ...code, ...form }, headers);
      expect([status >= 400, body.access_token, /invalid_(client|request)/.test(body.error)]).toEqual([
        true,
        undefined,
        true,
      ]);
    }
    const hashes = await app.database.query('SELECT secret_hash FROM oauth_clients WHERE id = $1', [id]);
    const stored = String(hashes[0].secret_hash);
    expect((await send('token', { ...code, client_id: id, client_secret: stored })).body.error).toBe('invalid_client');
    const tokens = await redeem(program, returned, begun);
    for (const [form, headers] of faulty) {
      await send('revoke', { token: tokens.access_token, ...form }, headers);
      await app.as(using(tokens.access_token)).get('/tasks').expect(200);
    }
  });

  it('does not begin with devices without it', async () => {
    const grant_types = ['urn:ietf:params:oauth:grant-type:device_code'];
    const { id } = await registered({ ...secretly, grant_types });
    const { body } = await send('device-authorization', { client_id: id, scope: 'tasks:read' });
    expect(body.error).toBe('invalid_client');
  });
});

describe('what one program got', () => {
  it('is of no use to another', async () => {
    const [one, two] = [await registered(), await registered()];
    const [victim, thief] = [await programOf(app, one.id), await programOf(app, two.id)];
    const begun = await ask(victim);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    await expect(redeem(thief, returned, begun)).rejects.toMatchObject(invalid);
    const { access, refresh } = await grantedTokens(app, victim, ann);
    await expect(oauth.refreshTokenGrant(thief, refresh)).rejects.toMatchObject(invalid);
    await send('revoke', { client_id: two.id, token: access });
    await app.as(using(access)).get('/tasks').expect(200);
    const device = await oauth.initiateDeviceAuthorization(await programOf(app), { scope: 'tasks:read' });
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.device_code };
    expect((await send('token', { ...form, client_id: one.id })).body.error).not.toBe('authorization_pending');
  });

  it('comes with the issuer, so that answers of another server are recognized', async () => {
    const { id } = await registered();
    const program = await programOf(app, id);
    const begun = await ask(program);
    const returned = await new OauthBrowser(app).consent(ann, begun);
    expect(returned.searchParams.get('iss')).toBe(ISSUER);
    returned.searchParams.set('iss', 'https://evil.test');
    await expect(redeem(program, returned, begun)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  });

  it('cannot be for two resources, nor for one that does not exist', async () => {
    const { url } = await ask(await programOf(app));
    for (const resources of [
      [`${ISSUER}/api/v1`, `${ISSUER}/mcp`],
      [`${ISSUER}/mcp/`],
      [`${ISSUER}/api`],
      [`${ISSUER}/API/v1`],
      [`${ISSUER}/mcp#x`],
      ['mcp'],
    ]) {
      const asked = new URL(url);
      for (const resource of resources) asked.searchParams.append('resource', resource);
      const { location } = await new OauthBrowser(app).open(asked);
      expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_target');
    }
    const form = { client_id: 'worksmith-cli', scope: 'tasks:read', resource: 'https://evil.test' };
    expect((await send('device-authorization', form)).body.error).toBe('invalid_target');
  });

  it('stays at the resource that was granted, also when the code is redeemed for another', async () => {
    const program = await programOf(app);
    const begun = await ask(program, 'tasks:read', { resource: `${ISSUER}/mcp` });
    const returned = await new OauthBrowser(app).consent(ann, begun);
    const form = {
      grant_type: 'authorization_code',
      client_id: 'worksmith-cli',
      code: returned.searchParams.get('code') ?? '',
      code_verifier: begun.verifier,
      redirect_uri: CALLBACK,
      resource: `${ISSUER}/api/v1`,
    };
    expect((await send('token', form)).body.error).toBe('invalid_target');
  });
});

describe('the id of a program', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/a/../client',
    'https://app.example.com/%2e%2e/client',
    'https://app.example.com/client#x',
    'https://user@app.example.com/client',
    'https://APP.example.com/client',
    'https://app.example.com:443/client',
    'https://app.example.com\\client',
    'https://app.ex\u0430mple.com/client',
    'ftp://app.example.com/client',
    `https://app.example.com/${'x'.repeat(500)}`,
    'cli_00000000000000000000000000000000',
    'Worksmith-CLI',
    'worksmith-cli ',
  ])('cannot be %s', async (id) => {
    const before = documents.asked.length;
    expect(await refusalOf(id)).toContain('invalid_client');
    expect(documents.asked.length).toBe(before);
  });

  it('cannot be that of the command line, nor chosen by a program', async () => {
    const { body } = await app.as(admin).post('/oauth-registration-tokens').send({ name: 'Partners' }).expect(201);
    const response = await fetch(`http://127.0.0.1:${app.port()}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.data.token}` },
      body: JSON.stringify({
        client_id: 'worksmith-cli',
        client_secret: 'mine',
        redirect_uris: ['https://evil.test/'],
      }),
    });
    const made = (await response.json()) as { client_id: string; client_secret?: string };
    expect([response.status, made.client_secret]).toEqual([201, undefined]);
    expect(made.client_id).toMatch(/^cli_/);
    expect(await refusalOf('worksmith-cli', { redirect_uri: 'https://evil.test/' })).toContain('invalid_redirect_uri');
  });
});

describe('the document of a program', () => {
  const document = (path: string) => ({ client_id: documents.at(path), redirect_uris: [CALLBACK] });
  const sent = (path: string, body: string, headers: Record<string, string> = {}, status = 200) =>
    documents.answer(path, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });

  it('must name its own address', async () => {
    documents.publish('/honest');
    const id = documents.publish('/liar', { client_id: documents.at('/honest') });
    expect(await refusalOf(id)).toContain('must be its address');
    expect(await refusalOf(documents.publish('/nobody', { client_id: undefined }))).toContain('must be its address');
  });

  it('must be a JSON object without a secret, with addresses that may get answers', async () => {
    expect(
      await refusalOf(sent('/page', JSON.stringify(document('/page')), { 'content-type': 'text/html' })),
    ).toContain('must be JSON');
    expect(await refusalOf(sent('/broken', '{'))).toContain('must be a JSON object');
    expect(await refusalOf(sent('/list', '[]'))).toContain('must be a JSON object');
    expect(await refusalOf(documents.publish('/secret', { client_secret: 'x' }))).toContain(
      'must not contain a secret',
    );
    const method = { token_endpoint_auth_method: 'client_secret_basic' };
    expect(await refusalOf(documents.publish('/method', method))).toContain('must be none');
    const script = { redirect_uris: ['javascript:alert(1)'] };
    expect(await refusalOf(documents.publish('/script', script))).toContain('redirect_uris.0');
    const name = { client_name: '<script>alert(1)</script>\u202e' };
    expect(await refusalOf(documents.publish('/name', name))).toContain('client_name');
  });

  it('is not asked for where it redirects, nor read from a fault', async () => {
    documents.publish('/target');
    const id = sent('/moved', '', { location: documents.at('/target') }, 302);
    expect(await refusalOf(id)).toContain('no document');
    expect(documents.timesAsked('/target')).toBe(0);
    const fault = sent('/fault', JSON.stringify(document('/fault')), {}, 500);
    expect(await refusalOf(fault)).toContain('temporarily_unavailable');
    expect(documents.timesAsked('/fault')).toBe(1);
  });

  it('is not read beyond ten kilobytes', async () => {
    const endless = documents.answer('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (response.write(' '.repeat(4_096)));
      };
      response.on('drain', more);
      more();
    });
    expect(await refusalOf(endless)).toContain('temporarily_unavailable');
    const long = documents.publish('/long', { padding: 'x'.repeat(11_000) });
    expect(await refusalOf(long)).toContain('temporarily_unavailable');
  });

  it('is not waited for beyond five seconds, in which others are answered', async () => {
    const closed = new Promise((resolve) => {
      documents.answer('/slow', (_request, response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      });
    });
    const slow = refusalOf(documents.at('/slow'));
    await grantedTokens(app, await programOf(app), ann);
    expect(await slow).toContain('temporarily_unavailable');
    await closed;
  });

  it('is fetched once by many requests at the same time, and counts for a minute at least', async () => {
    const id = documents.publish('/busy', {}, { 'cache-control': 'max-age=0' });
    const program = await programOf(app, id);
    const begin = async () => new OauthBrowser(app).begin(await ask(program));
    await Promise.all(Array.from({ length: 8 }, begin));
    expect(documents.timesAsked('/busy')).toBe(1);
  });
});

describe('the requests to the servers of programs', () => {
  /** A server that counts who connects. */
  async function listening(host: string, port = 0): Promise<{ server: Server; port: number; count: () => number }> {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    });
    server.listen(port, host);
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port, count: () => connections };
  }

  it.each(['127.0.0.2', '[::1]', '[::ffff:127.0.0.2]', '2130706434', '0x7f000002', '0.0.0.0', 'private.test'])(
    'do not reach a private address: %s',
    async (host) => {
      const inside = await listening('127.0.0.2');
      addresses.set('private.test', '127.0.0.2');
      // As browsers do, so that the address is not refused for its form.
      const id = new URL(`https://${host}:${inside.port}/client`).href;
      try {
        expect(await refusalOf(id)).toContain('temporarily_unavailable');
        expect(inside.count()).toBe(0);
      } finally {
        inside.server.close();
      }
    },
  );

  it('use no http but for programs on this machine', async () => {
    const outside = await listening('127.0.0.1');
    addresses.set('plain.test', '127.0.0.1');
    try {
      expect(await refusalOf(`http://plain.test:${outside.port}/client`)).toContain('temporarily_unavailable');
      expect(outside.count()).toBe(0);
    } finally {
      outside.server.close();
    }
  });

  it('go to the address that was checked, although the name has another one by then', async () => {
    const checked = await listening('127.0.0.1');
    const inside = await listening('127.0.0.2', checked.port);
    addresses.set('rebinding.test', '127.0.0.1');
    addresses.later.set('rebinding.test', '127.0.0.2');
    try {
      expect(await refusalOf(`https://rebinding.test:${checked.port}/client`)).toContain('temporarily_unavailable');
      expect([checked.count(), inside.count()]).toEqual([1, 0]);
      expect(addresses.get('rebinding.test')).toBe('127.0.0.2');
    } finally {
      checked.server.close();
      inside.server.close();
    }
  });

  it('are thirty in a minute for one address', async () => {
    const other = await TestApp.open(SETTINGS);
    try {
      const asked = async (turn: number) => {
        const { url } = await ask(await programOf(other, documents.publish(`/many/${turn}`)));
        return (await new OauthBrowser(other).open(url)).status;
      };
      const statuses: number[] = [];
      for (let turn = 0; turn < 31; turn += 1) statuses.push(await asked(turn));
      expect(statuses.filter((status) => status === 303)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(400);
      expect(documents.timesAsked('/many/30')).toBe(0);
    } finally {
      await other.close();
    }
  });
});
