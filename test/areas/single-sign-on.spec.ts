import { randomBytes } from 'node:crypto';
import { enableSecondFactor, totpOf } from '../support/second-factor.js';
import { LyingProvider, type Lies } from '../support/lying-provider.js';
import { CALLBACK, CLIENT_ID, CLIENT_SECRET, OpenIdProvider } from '../support/openid-provider.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

const SETTINGS = {
  LIMIT_LOGIN_PER_MINUTE: '10000',
  LIMIT_EXEMPT_ADDRESSES: '127.0.0.1',
  OIDC_REDIRECT_URIS: CALLBACK,
  IDENTITY_ALLOW: '127.0.0.0/8',
  PUBLIC_URL: 'http://localhost:4000',
};

let app: TestApp;
let ada: Person;
let passwordHash: string;
let company: OpenIdProvider;
let liar: LyingProvider;

beforeAll(async () => {
  [app, company, liar] = await Promise.all([TestApp.open(SETTINGS), OpenIdProvider.start(), LyingProvider.start()]);
  ada = await app.admin();
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => Promise.all([app.close(), company.stop(), liar.stop()]));

interface Started {
  authorization_url: string;
  flow_token: string;
}

const addProvider = async (issuer: string, more: object = {}): Promise<string> => {
  const body = { name: 'Company', issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...more };
  return (await app.as(ada).post('/identity-providers').send(body).expect(201)).body.data.id;
};
const change = (provider: string, body: object) => app.as(ada).patch(`/identity-providers/${provider}`).send(body);
const begin = (provider: string, redirectUri = CALLBACK) =>
  app.as(null).post(`/auth/oidc/${provider}/start`).send({ redirect_uri: redirectUri });
const start = async (provider: string): Promise<Started> => (await begin(provider).expect(200)).body.data;
const finish = (body: object) => app.as(null).post('/auth/oidc/finish').send(body);
const link = (person: Person, body: object) => app.as(person).post('/auth/identities').send(body);

/** Signs in at the real provider, and returns what the client finishes with. */
const enter = async (provider: string, name: string) => {
  const { authorization_url, flow_token } = await start(provider);
  return { flow_token, ...(await company.signIn(authorization_url, name)) };
};
/** The same at the provider that lies. */
const claim = async (provider: string, claims: Record<string, unknown>, lies: Lies = {}) => {
  const { authorization_url, flow_token } = await start(provider);
  return { flow_token, ...liar.signIn(authorization_url, claims, lies) };
};
const someone = (): string => `p${randomBytes(5).toString('hex')}`;
const at = (name: string, domain = 'company.test'): string => `${name}@${domain}`;
const verified = (name: string) => ({ sub: name, email: at(name), email_verified: true });

const reasonOf = (body: { error: { details: { reason: string } } }): string => body.error.details.reason;
const bearer = (token: string, person: Partial<Person> = {}): Person => ({ ...person, token }) as Person;
const identitiesOf = async (person: Person) => (await app.as(person).get('/auth/identities').expect(200)).body.data;
const subjects = async (email: string): Promise<string[]> =>
  (await app.mail(email)).map(({ subject }) => subject).toReversed();

describe('signing in with a real provider', () => {
  let provider: string;

  beforeAll(async () => {
    provider = await addProvider(company.issuer, { domains: ['company.test'], jit: true });
  });

  it('makes an account for an unknown person of its domains, which it recognizes afterwards', async () => {
    const name = someone();
    const { body } = await finish(await enter(provider, name)).expect(200);
    expect(body.data).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user_id: expect.stringMatching(/^usr_/),
      name: `P${name.slice(1)} of the company`,
      email: at(name),
    });
    const person = bearer(body.data.token);
    const [session] = (await app.as(person).get('/auth/sessions').expect(200)).body.data;
    expect(session).toMatchObject({ method: 'oidc' });
    expect(await identitiesOf(person)).toMatchObject([
      { provider_id: provider, provider_name: 'Company', subject: name, email: at(name) },
    ]);
    const { body: again } = await finish(await enter(provider, name)).expect(200);
    expect(again.data.user_id).toBe(body.data.user_id);
    expect(await identitiesOf(person)).toHaveLength(1);
    await app
      .as(null)
      .post('/auth/login')
      .send({ email: at(name), password: PASSWORD })
      .expect(401);
  });

  it('links the account that has the verified address, once, and tells by mail', async () => {
    const name = someone();
    const ann = await app.person('Ann', { email: at(name) });
    const { body } = await finish(await enter(provider, name)).expect(200);
    expect(body.data).toMatchObject({ user_id: ann.id, name: 'Ann' });
    expect(await subjects(at(name))).toEqual(['A way to sign in was added']);
    await finish(await enter(provider, name)).expect(200);
    expect(await identitiesOf(ann)).toHaveLength(1);
  });

  it('links an account that its owner has signed in to in another way', async () => {
    const ann = await app.person('Ann');
    const name = at(someone(), 'elsewhere.test');
    const { body: refused } = await finish(await enter(provider, name)).expect(403);
    expect(reasonOf(refused)).toBe('identity_unknown');
    const { body, headers } = await link(ann, await enter(provider, name)).expect(201);
    expect(body.data).toMatchObject({ user_id: ann.id, subject: name, email: name });
    const { body: read } = await app.as(ann).get(headers.location.replace('/api/v1', '')).expect(200);
    expect(read).toEqual(body);
    const { body: signedIn } = await finish(await enter(provider, name)).expect(200);
    expect(signedIn.data.user_id).toBe(ann.id);
    const { body: taken } = await link(await app.person('Ben'), await enter(provider, name)).expect(409);
    expect(reasonOf(taken)).toBe('identity_taken');
  });

  it('is refused with an address that the provider has not verified, whether or not there is an account', async () => {
    const name = `unverified-${someone()}`;
    await app.person('Ann', { email: at(name) });
    for (const who of [name, `unverified-${someone()}`]) {
      const { body } = await finish(await enter(provider, who)).expect(403);
      expect(reasonOf(body)).toBe('identity_unknown');
    }
  });

  it('is found to be in order by a test, which changes nothing', async () => {
    const { body } = await app.as(ada).post(`/identity-providers/${provider}/test`).expect(200);
    expect(body.data).toMatchObject({
      ok: true,
      checks: [{ check: 'discovery' }, { check: 'keys' }, { check: 'clock' }],
    });
  });
});

describe('who somebody is', () => {
  let provider: string;

  beforeAll(async () => {
    provider = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
  });

  it('is decided by what the provider calls the person, not by the address', async () => {
    const name = someone();
    const other = someone();
    const ben = await app.person('Ben', { email: at(other) });
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    const moved = { ...verified(other), sub: name };
    const { body: again } = await finish(await claim(provider, moved)).expect(200);
    expect(again.data).toMatchObject({ user_id: body.data.user_id, email: at(name) });
    expect(await identitiesOf(ben)).toEqual([]);
  });

  it.each<[string, (name: string) => Record<string, unknown>, string]>([
    [
      'an address that the provider gave to another person',
      (name) => ({ ...verified(name), sub: 'second' }),
      'link_required',
    ],
    [
      'a foreign domain',
      (name) => ({ ...verified(name), sub: 'x1', email: at(name, 'foreign.test') }),
      'identity_unknown',
    ],
    [
      'a subdomain',
      (name) => ({ ...verified(name), sub: 'x2', email: at(name, 'a.company.test') }),
      'identity_unknown',
    ],
    [
      'a domain that ends alike',
      (name) => ({ ...verified(name), sub: 'x3', email: at(name, 'mycompany.test') }),
      'identity_unknown',
    ],
    [
      'two domains',
      (name) => ({ ...verified(name), sub: 'x4', email: `${name}@company.test@foreign.test` }),
      'identity_unknown',
    ],
    ['no word on whether the address is verified', (name) => ({ sub: 'x5', email: at(name) }), 'identity_unknown'],
    ['no address', () => ({ sub: 'x6' }), 'identity_unknown'],
  ])('is not decided by %s', async (_, claims, reason) => {
    const name = someone();
    await finish(await claim(provider, verified(name))).expect(200);
    const { body } = await finish(await claim(provider, claims(name))).expect(403);
    expect(reasonOf(body)).toBe(reason);
  });

  it('is not taken from an address for an administrator, an agent, and a suspended or closed account', async () => {
    for (const state of ['is_admin = true', "user_type = 'agent'", "status = 'suspended'", "status = 'inactive'"]) {
      const name = someone();
      const { id } = await app.person('Ann', { email: at(name) });
      await app.database.query(`UPDATE users SET ${state} WHERE id = $1`, [id]);
      const { body } = await finish(await claim(provider, verified(name))).expect(403);
      expect([state, reasonOf(body)]).toEqual([state, 'link_required']);
    }
  });

  it('does not let a suspended account in, also if it is linked', async () => {
    const name = someone();
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    await app.as(ada).patch(`/users/${body.data.user_id}`).send({ status: 'suspended' }).expect(200);
    const { body: refused } = await finish(await claim(provider, verified(name))).expect(403);
    expect(refused.error.code).toBe('account_suspended');
    await app.as(ada).patch(`/users/${body.data.user_id}`).send({ status: 'inactive' }).expect(200);
    await finish(await claim(provider, verified(name))).expect(401);
  });

  it('is somebody new after an account was erased', async () => {
    const name = someone();
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    await app.as(ada).delete(`/users/${body.data.user_id}?erase=now`).expect(200);
    const { body: revived } = await finish(await claim(provider, verified(name))).expect(200);
    expect(revived.data.user_id).not.toBe(body.data.user_id);
  });

  it('is unknown without new accounts, and trusted without verification where that is set', async () => {
    await change(provider, { jit: false }).expect(200);
    const name = someone();
    const unverified = { sub: name, email: at(name) };
    expect(reasonOf((await finish(await claim(provider, verified(name))).expect(403)).body)).toBe('identity_unknown');
    const ann = await app.person('Ann', { email: at(name) });
    await finish(await claim(provider, unverified)).expect(403);
    await change(provider, { trust_email: true }).expect(200);
    const { body } = await finish(await claim(provider, unverified)).expect(200);
    expect(body.data.user_id).toBe(ann.id);
    await change(provider, { trust_email: false, jit: true }).expect(200);
  });

  it('of two sign-ins at the same time is one account', async () => {
    const name = someone();
    const bodies = [await claim(provider, verified(name)), await claim(provider, verified(name))];
    // Both have the nonce of the second, so only it can succeed; what the first one leaves behind must not matter.
    await Promise.all(bodies.map((body) => finish(body)));
    expect(await app.database.query('SELECT 1 FROM users WHERE email = $1', [at(name)])).toHaveLength(1);
  });
});

describe('the provider of an organization', () => {
  let olga: Person;
  let organization: string;
  let domain: string;
  let provider: string;

  beforeAll(async () => {
    domain = `${someone()}.test`;
    olga = await app.person('Olga', { email: at('olga', domain) });
    organization = await app.organization(olga);
    provider = await addProvider(liar.issuer, {
      organization_id: organization,
      domains: [domain],
      jit: true,
      role: 'guest',
    });
  });

  const says = (name: string) => ({ sub: name, email: at(name, domain), email_verified: true });
  const linked = async (name: string): Promise<Person> => {
    const { body } = await finish(await claim(provider, says(name))).expect(200);
    return bearer(body.data.token, { id: body.data.user_id });
  };
  const refusedFor = async (name: string): Promise<string> =>
    reasonOf((await finish(await claim(provider, says(name))).expect(403)).body);
  const account = (name: string): Promise<Person> => app.person('Ann', { email: at(name, domain) });

  it('makes accounts that are members with its role', async () => {
    const person = await linked(someone());
    const { body } = await app.as(person).get('/auth/whoami').expect(200);
    expect(body.data).toMatchObject({ is_admin: false, organizations: { [organization]: 'guest' } });
    const { body: mine } = await app.as(person).get('/auth/my-data').expect(200);
    expect(mine.account_of).toMatchObject([{ organization_id: organization }]);
    expect(mine.identities).toMatchObject([{ provider: 'Company' }]);
  });

  it('speaks for those who founded it or accepted an invitation', async () => {
    expect((await linked('olga')).id).toBe(olga.id);
    const name = someone();
    const ann = await account(name);
    const { body } = await app.as(olga).post('/invitations').send({ organization_id: organization }).expect(201);
    await app.as(ann).post('/invitations/accept').send({ token: body.data.token }).expect(200);
    expect((await linked(name)).id).toBe(ann.id);
  });

  it('does not speak for strangers, those who were added without their consent, and those who have left', async () => {
    const [stranger, added, left] = [someone(), someone(), someone()];
    await account(stranger);
    expect(await refusedFor(stranger)).toBe('link_required');
    const user = await account(added);
    await app.as(ada).post(`/organizations/${organization}/members`).send({ user_id: user.id }).expect(201);
    expect(await refusedFor(added)).toBe('link_required');
    const ann = await account(left);
    const { body } = await app.as(olga).post('/invitations').send({ organization_id: organization }).expect(201);
    await app.as(ann).post('/invitations/accept').send({ token: body.data.token }).expect(200);
    await app.as(ann).delete(`/organizations/${organization}/members/${ann.id}`).expect(200);
    expect(await refusedFor(left)).toBe('link_required');
  });

  it('speaks for the accounts that an earlier provider of the organization made', async () => {
    const name = someone();
    const person = await linked(name);
    const next = await addProvider(liar.issuer, { organization_id: organization, domains: [domain] });
    const { body } = await finish(await claim(next, says(name))).expect(200);
    expect(body.data.user_id).toBe(person.id);
  });

  it('makes no accounts while the organization is archived, but lets known people in', async () => {
    const name = someone();
    await linked(name);
    await app.as(olga).post(`/organizations/${organization}/archive`).send({ reason: 'Over' }).expect(200);
    expect(await refusedFor(someone())).toBe('identity_unknown');
    await linked(name);
  });
});

describe('an answer of a provider', () => {
  let provider: string;
  const name = someone();

  beforeAll(async () => {
    provider = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
    await finish(await claim(provider, verified(name))).expect(200);
  });

  const now = (): number => Math.floor(Date.now() / 1_000);
  const REFUSED = 'The provider did not confirm this sign-in, or it has expired. Try again, or sign in in another way.';

  it.each<[string, () => Lies]>([
    ['signed with an unpublished key', () => ({ isSignedByAnother: true })],
    ['signed with a key that it does not know', () => ({ kid: 'other' })],
    ['without a signature', () => ({ alg: 'none' })],
    ['signed with the client secret', () => ({ alg: 'HS256' })],
    ['of another issuer', () => ({ claims: { iss: 'https://login.evil.test' } })],
    ['for another client', () => ({ claims: { aud: 'another' } })],
    ['for several clients without a party', () => ({ claims: { aud: [CLIENT_ID, 'another'] } })],
    ['for several clients and another party', () => ({ claims: { aud: [CLIENT_ID, 'another'], azp: 'another' } })],
    ['for another party', () => ({ claims: { azp: 'another' } })],
    ['that has expired', () => ({ claims: { exp: now() - 61 } })],
    ['without an expiry', () => ({ claims: { exp: undefined } })],
    ['from the future', () => ({ claims: { iat: now() + 90 } })],
    ['of another sign-in', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['with an empty subject', () => ({ claims: { sub: '' } })],
    ['with an endless subject', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['that is missing', () => ({ hasNoToken: true })],
  ])('with a token %s is refused with one text', async (_, lies) => {
    const { body } = await finish(await claim(provider, verified(name), lies())).expect(401);
    expect(body.error).toMatchObject({ code: 'invalid_credentials', message: REFUSED });
  });

  it('is accepted if the clocks differ by less than a minute', async () => {
    await finish(await claim(provider, verified(name), { claims: { exp: now() - 30, iat: now() + 30 } })).expect(200);
  });

  it.each<[string, (body: { iss: string; state: string }) => object]>([
    ['of another issuer', () => ({ iss: 'https://login.evil.test' })],
    ['that does not name the issuer although it announced to', () => ({ iss: undefined })],
    ['with another state', ({ state }) => ({ state: `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}` })],
    ['with a state of another length', () => ({ state: 'short' })],
    ['for an unknown sign-in', () => ({ flow_token: 'unknown' })],
  ])('%s is refused', async (_, lie) => {
    const body = await claim(provider, verified(name));
    await finish({ ...body, ...lie(body) }).expect(401);
  });

  it('is accepted once, for ten minutes, in the client that began, and from that provider', async () => {
    const used = await claim(provider, verified(name));
    await finish(used).expect(200);
    await finish(used).expect(401);
    const wrong = await claim(provider, verified(name));
    await finish({ ...wrong, state: 'wrong' }).expect(401);
    await finish(wrong).expect(401);
    const late = await claim(provider, verified(name));
    await app.database.query('UPDATE oidc_flows SET expires_at = now()');
    await finish(late).expect(401);
    const { flow_token } = await start(provider);
    await finish({ ...(await claim(provider, verified(name))), flow_token }).expect(401);
    const disabled = await claim(provider, verified(name));
    await change(provider, { is_enabled: false }).expect(200);
    await finish(disabled).expect(401);
    await begin(provider).expect(404);
    await change(provider, { is_enabled: true }).expect(200);
  });

  it('is checked with new keys if it names one, which it cannot make the service read all the time', async () => {
    const fresh = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
    const person = someone();
    await finish(await claim(fresh, verified(person))).expect(200);
    const before = liar.keyReads;
    await finish(await claim(fresh, verified(person), { kid: 'new' })).expect(401);
    expect(liar.keyReads - before).toBe(0);
    liar.rotate();
    await app.service.setTime(new Date(Date.now() + 11_000).toISOString());
    await finish(await claim(fresh, verified(person))).expect(200);
    for (let time = 0; time < 3; time += 1) {
      await finish(await claim(fresh, verified(person), { kid: 'new' })).expect(401);
    }
    expect(liar.keyReads - before).toBe(1);
    await app.service.setTime(null);
  });

  it('links nothing if it is wrong', async () => {
    const ann = await app.person('Ann');
    const { body } = await link(ann, await claim(provider, verified(someone()), { alg: 'none' })).expect(400);
    expect(body.error.code).toBe('verification_failed');
    expect(await identitiesOf(ann)).toEqual([]);
  });
});

describe('a provider that does not answer', () => {
  it.each<[string, (body: LyingProvider) => void]>([
    ['with errors', (one) => Object.assign(one, { status: 500 })],
    ['with a redirect', (one) => Object.assign(one, { status: 302 })],
    ['as another issuer', (one) => Object.assign(one, { metadata: { issuer: 'https://login.evil.test' } })],
    [
      'with an address for people that is none',
      (one) => Object.assign(one, { metadata: { authorization_endpoint: 'javascript:alert(1)' } }),
    ],
  ])('%s is 409, and the test says so', async (_, spoil) => {
    const broken = await LyingProvider.start();
    try {
      spoil(broken);
      const provider = await addProvider(broken.issuer);
      expect(reasonOf((await begin(provider).expect(409)).body)).toBe('provider_unreachable');
      const { body } = await app.as(ada).post(`/identity-providers/${provider}/test`).expect(200);
      expect(body.data).toMatchObject({ ok: false, checks: [{ check: 'discovery', ok: false }] });
    } finally {
      await broken.stop();
    }
  });

  it('at all is 409, also when it goes away during a sign-in', async () => {
    const broken = await LyingProvider.start();
    const provider = await addProvider(broken.issuer);
    const { authorization_url, flow_token } = await start(provider);
    const returned = broken.signIn(authorization_url, verified(someone()));
    await broken.stop();
    expect(reasonOf((await finish({ flow_token, ...returned }).expect(409)).body)).toBe('provider_unreachable');
    const later = await addProvider(broken.issuer);
    expect(reasonOf((await begin(later).expect(409)).body)).toBe('provider_unreachable');
  });

  it.each(['https://10.0.0.1', 'http://169.254.169.254/latest', 'https://[fd00::1]', 'http://login.example.com'])(
    'because it is %s cannot be added',
    async (issuer) => {
      const body = { name: 'Inside', issuer, client_id: CLIENT_ID };
      const { body: refused } = await app.as(ada).post('/identity-providers').send(body).expect(400);
      expect(fieldErrorsOf(refused)).toEqual(['issuer invalid_value']);
    },
  );

  it('because its endpoints are inside is 409', async () => {
    const inside = await LyingProvider.start();
    inside.metadata = { token_endpoint: 'http://169.254.169.254/token' };
    const provider = await addProvider(inside.issuer);
    const { authorization_url, flow_token } = await start(provider);
    const returned = inside.signIn(authorization_url, verified(someone()));
    expect(reasonOf((await finish({ flow_token, ...returned }).expect(409)).body)).toBe('provider_unreachable');
    await inside.stop();
  });
});

describe('an account with a second factor', () => {
  it('needs it also after a provider, unless the provider asks for one', async () => {
    const provider = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
    const name = someone();
    const { body: first } = await finish(await claim(provider, verified(name))).expect(200);
    const person = bearer(first.data.token);
    const { secret } = await enableSecondFactor(app, person);
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    expect(body.data).toEqual({
      status: '2fa_required',
      pending_token: expect.any(String),
      methods: ['totp', 'recovery_code'],
      expires_at: expect.any(String),
    });
    const code = totpOf(secret, 1);
    const { body: signedIn } = await app
      .as(null)
      .post('/auth/totp/verify')
      .send({ pending_token: body.data.pending_token, code })
      .expect(200);
    const { body: sessions } = await app.as(bearer(signedIn.data.token)).get('/auth/sessions').expect(200);
    expect(sessions.data.find((one: { is_current: boolean }) => one.is_current)).toMatchObject({ method: 'oidc' });
    await change(provider, { proves_second_factor: true }).expect(200);
    const { body: direct } = await finish(await claim(provider, verified(name))).expect(200);
    expect(direct.data.token).toEqual(expect.any(String));
  });

  it('needs it after the provider of an organization, whatever that says: its owners would come past it', async () => {
    const organization = await app.organization(ada);
    const provider = await addProvider(liar.issuer, {
      organization_id: organization,
      domains: ['second.test'],
      jit: true,
      proves_second_factor: true,
    });
    const name = someone();
    const claims = { sub: name, email: at(name, 'second.test'), email_verified: true };
    const { body: first } = await finish(await claim(provider, claims)).expect(200);
    await enableSecondFactor(app, bearer(first.data.token));
    const { body } = await finish(await claim(provider, claims)).expect(200);
    expect(body.data.status).toBe('2fa_required');
  });
});

describe('a proof at a provider', () => {
  let provider: string;
  let name: string;
  let person: Person;

  beforeAll(async () => {
    provider = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
  });
  beforeEach(async () => {
    name = someone();
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    person = bearer(body.data.token, { id: body.data.user_id });
    await app.database.query(`UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [
      person.id,
    ]);
  });

  const ask = async (who = person) =>
    (await app.as(who).post('/auth/step-up/oidc').send({ provider_id: provider, redirect_uri: CALLBACK }).expect(200))
      .body.data as Started;
  const prove = (who: Person, oidc: object) => app.as(who).post('/auth/step-up').send({ oidc });
  const seconds = (): number => Math.floor(Date.now() / 1_000);
  const again = async (claims: object = {}) => {
    const { authorization_url, flow_token } = await ask();
    const said = { ...verified(name), auth_time: seconds(), ...claims };
    return { flow_token, ...liar.signIn(authorization_url, said) };
  };

  it('is what people without a password are asked for', async () => {
    const { body } = await app
      .as(person)
      .post('/auth/tokens')
      .send({ name: 'Robot', scopes: ['*'] })
      .expect(403);
    expect(body.error.details).toMatchObject({ reason: 'proof_required', methods: ['oidc'] });
    const { searchParams } = new URL((await ask()).authorization_url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    await prove(person, await again()).expect(200);
    await app
      .as(person)
      .post('/auth/tokens')
      .send({ name: 'Robot', scopes: ['*'] })
      .expect(201);
  });

  it.each<[string, () => object]>([
    ['by another person', () => ({ sub: 'another' })],
    ['from before it was asked for', () => ({ auth_time: seconds() - 60 })],
    ['without a time', () => ({ auth_time: undefined })],
  ])('%s is refused', async (_, claims) => {
    const { body } = await prove(person, await again(claims())).expect(400);
    expect(body.error.code).toBe('verification_failed');
  });

  it('works once, in the session that asked, and is no sign-in, nor is a sign-in a proof', async () => {
    const other = bearer((await finish(await claim(provider, verified(name))).expect(200)).body.data.token);
    await prove(other, await again()).expect(400);
    await finish(await again()).expect(401);
    await link(person, await again()).expect(403);
    await prove(person, await claim(provider, { ...verified(name), auth_time: seconds() })).expect(400);
    const used = await again();
    await prove(person, used).expect(200);
    await prove(person, used).expect(400);
    await link(person, await again()).expect(400);
  });

  it('counts for an account with a second factor only if the provider asks for one', async () => {
    await prove(person, await again()).expect(200);
    const { secret } = await enableSecondFactor(app, person);
    await app.database.query(`UPDATE sessions SET proved_at = now() - interval '1 hour' WHERE user_id = $1`, [
      person.id,
    ]);
    const { body } = await prove(person, await again()).expect(400);
    expect(body.error.code).toBe('verification_failed');
    const { body: refused } = await app
      .as(person)
      .post('/auth/tokens')
      .send({ name: 'Robot', scopes: ['*'] })
      .expect(403);
    expect(refused.error.details.methods).not.toContain('oidc');
    await app
      .as(person)
      .post('/auth/step-up')
      .send({ code: totpOf(secret, 1) })
      .expect(200);
    await change(provider, { proves_second_factor: true }).expect(200);
    await prove(person, await again()).expect(200);
    await change(provider, { proves_second_factor: false }).expect(200);
  });

  it('cannot be asked for while the provider does not answer', async () => {
    const silent = await addProvider('http://127.0.0.1:9');
    await app.database.query('UPDATE identities SET provider_id = $2 WHERE user_id = $1', [person.id, silent]);
    const body = { provider_id: silent, redirect_uri: CALLBACK };
    expect(reasonOf((await app.as(person).post('/auth/step-up/oidc').send(body).expect(409)).body)).toBe(
      'provider_unreachable',
    );
  });

  it('can be asked for only at a provider that knows the person', async () => {
    const foreign = await addProvider(liar.issuer);
    const body = { provider_id: foreign, redirect_uri: CALLBACK };
    const refused = await app.as(person).post('/auth/step-up/oidc').send(body).expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual(['provider_id reference_not_found']);
  });
});

describe('removing an identity', () => {
  it('ends the other sessions and the way in, is told by mail, and is refused for the last one', async () => {
    const provider = await addProvider(liar.issuer, { domains: ['company.test'], jit: true });
    const name = someone();
    const { body } = await finish(await claim(provider, verified(name))).expect(200);
    const person = bearer(body.data.token);
    const [{ id }] = await identitiesOf(person);
    const { body: refused } = await app.as(person).delete(`/auth/identities/${id}`).expect(409);
    expect(reasonOf(refused)).toBe('last_credential');
    await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [body.data.user_id, passwordHash]);
    const other = bearer((await finish(await claim(provider, verified(name))).expect(200)).body.data.token);
    await app.as(person).delete(`/auth/identities/${id}`).expect(200);
    await app.as(other).get('/auth/whoami').expect(401);
    await app.as(person).get(`/auth/identities/${id}`).expect(404);
    expect(await subjects(at(name))).toEqual(['A way to sign in was added', 'A way to sign in was removed']);
    // The address alone does not bring back what the person has removed.
    expect(reasonOf((await finish(await claim(provider, verified(name))).expect(403)).body)).toBe('link_required');
    await link(person, await claim(provider, verified(name))).expect(201);
  });

  it('can be refused for a stale revision', async () => {
    const provider = await addProvider(liar.issuer);
    const ann = await app.person('Ann', { passwordHash });
    const { body } = await link(ann, await claim(provider, verified(someone()))).expect(201);
    const path = `/auth/identities/${body.data.id}`;
    await app.as(ann).delete(path).set('If-Match', '"99"').expect(412);
    await app
      .as(await app.person('Ben'))
      .delete(path)
      .expect(404);
    await app.as(ann).delete(path).expect(200);
  });

  it('happens to all when the provider is deleted', async () => {
    const provider = await addProvider(liar.issuer);
    const ann = await app.person('Ann', { passwordHash });
    const { body } = await link(ann, await claim(provider, verified(someone()))).expect(201);
    await app.as(ada).delete(`/identity-providers/${provider}`).expect(200);
    expect(await identitiesOf(ann)).toEqual([]);
    await app.as(ann).delete(`/auth/identities/${body.data.id}`).expect(404);
    await begin(provider).expect(404);
  });
});

describe('an identity provider', () => {
  const whole = {
    name: 'Directory',
    issuer: 'https://login.company.test/realms/main',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    scopes: ['openid', 'email'],
    domains: ['Company.test', 'bücher.test'],
    proves_second_factor: true,
    jit: true,
    role: 'guest',
    is_enabled: false,
  };

  it('is represented without its secret, which is encrypted', async () => {
    const { body } = await app.as(ada).post('/identity-providers').send(whole).expect(201);
    const { id } = body.data;
    expect(body.data).toEqual({
      id: expect.stringMatching(/^idp_/),
      organization_id: null,
      name: 'Directory',
      issuer: whole.issuer,
      client_id: CLIENT_ID,
      has_client_secret: true,
      scopes: ['openid', 'email'],
      domains: ['company.test', 'xn--bcher-kva.test'],
      trust_email: false,
      groups_claim: null,
      group_roles: [],
      required: false,
      proves_second_factor: true,
      jit: true,
      role: 'guest',
      is_enabled: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      revision: 1,
    });
    const row = await app.database.one<{ secret: string }>(
      'SELECT client_secret AS secret FROM identity_providers WHERE id = $1',
      [id],
    );
    expect(row?.secret).not.toContain(CLIENT_SECRET);
    const { body: cleared } = await change(id, { client_secret: null, scopes: null, domains: null }).expect(200);
    expect(cleared.data).toMatchObject({
      has_client_secret: false,
      scopes: ['openid', 'email', 'profile'],
      domains: [],
      revision: 2,
    });
    const events = await app.database.query<{ previous: object; whole: string }>(
      'SELECT previous, row_to_json(v)::text AS whole FROM events v WHERE entity_id = $1 ORDER BY sequence',
      [id],
    );
    expect(events.map(({ previous }) => previous)).toEqual([
      {},
      { scopes: ['openid', 'email'], domains: ['company.test', 'xn--bcher-kva.test'] },
    ]);
    expect(events.map(({ whole: text }) => text).join()).not.toContain(row?.secret);
  });

  it.each<[object, string]>([
    [{ issuer: 'https://login.company.test/?a=b' }, 'issuer invalid_format'],
    [{ scopes: ['email'] }, 'scopes invalid_value'],
    [{ scopes: ['openid', 'two words'] }, 'scopes.1 invalid_format'],
    [{ domains: ['not a domain'] }, 'domains.0 invalid_format'],
    [{ role: 'owner' }, 'role invalid_value'],
    [{ issuer: 'https://accounts.google.com', trust_email: true }, 'trust_email invalid_value'],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0', trust_email: true }, 'trust_email invalid_value'],
  ])('is refused with %j', async (more, error) => {
    const { body } = await app
      .as(ada)
      .post('/identity-providers')
      .send({ ...whole, ...more })
      .expect(400);
    expect(fieldErrorsOf(body)).toEqual([error]);
  });

  it('keeps its issuer and organization', async () => {
    const id = await addProvider('https://login.company.test');
    const body = { issuer: 'https://login.evil.test', organization_id: null };
    const { body: refused } = await change(id, body).expect(400);
    expect(fieldErrorsOf(refused)).toEqual(['issuer read_only', 'organization_id read_only']);
  });

  it('of an organization belongs to its owners, who can speak only for domains that an administrator has confirmed', async () => {
    const olga = await app.person('Olga');
    const organization = await app.organization(olga);
    const admin = await app.person('Anton');
    await app.join(organization, admin, 'admin');
    const body = { ...whole, domains: [], organization_id: organization };
    const create = (person: Person, more: object = {}) =>
      app
        .as(person)
        .post('/identity-providers')
        .send({ ...body, ...more });
    const { body: made } = await create(olga).expect(201);
    const { body: foreign } = await create(olga, { domains: ['company.test'] }).expect(400);
    expect(fieldErrorsOf(foreign)).toEqual(['domains.0 invalid_value']);
    const update = (person: Person, domains: string[]) =>
      app.as(person).patch(`/identity-providers/${made.data.id}`).send({ domains });
    await update(ada, ['riverside.test', 'garden.test']).expect(200);
    const { body: other } = await create(ada, {
      organization_id: await app.organization(await app.person('Otto')),
      domains: ['garden.test'],
    }).expect(409);
    expect(reasonOf(other)).toBe('domain_taken');
    const { body: late } = await create(ada, {
      organization_id: await app.organization(await app.person('Otto')),
    }).expect(201);
    const taking = { domains: ['garden.test'] };
    await app.as(ada).patch(`/identity-providers/${late.data.id}`).send(taking).expect(409);
    await update(olga, ['garden.test', 'foreign.test']).expect(400);
    // What was confirmed once stays confirmed.
    await update(olga, ['garden.test']).expect(200);
    await update(olga, ['garden.test', 'riverside.test']).expect(200);
    const { body: given } = await update(olga, ['garden.test']).expect(200);
    expect(given.data.domains).toEqual(['garden.test']);
    await create(admin).expect(403);
    await app.as(admin).get(`/identity-providers/${made.data.id}`).expect(404);
    expect((await app.as(admin).get('/identity-providers').expect(200)).body.data).toEqual([]);
    expect((await app.as(olga).get('/identity-providers').expect(200)).body.data).toEqual([given.data]);
    const changes = async (person: Person) =>
      (await app.as(person).get('/changes?type=identity_provider.created').expect(200)).body.data;
    expect(await changes(olga)).toMatchObject([{ entity_id: made.data.id }]);
    expect(await changes(admin)).toEqual([]);
    await create(olga, { organization_id: undefined }).expect(403);
  });

  it('is one of at most twenty of an organization', async () => {
    const olga = await app.person('Olga');
    const organization_id = await app.organization(olga);
    const create = () =>
      app
        .as(olga)
        .post('/identity-providers')
        .send({ ...whole, domains: [], organization_id });
    for (let number = 1; number <= 20; number += 1) await create().expect(201);
    expect(reasonOf((await create().expect(409)).body)).toBe('too_many_providers');
  });

  it('can be started only with addresses that the operator named, and the page of the service', async () => {
    const id = await addProvider(liar.issuer);
    for (const uri of [`http://localhost:4000/auth/callback/${id}`, CALLBACK]) {
      const { body } = await begin(id, uri).expect(200);
      expect(new URL(body.data.authorization_url).searchParams.get('redirect_uri')).toBe(uri);
    }
    for (const uri of [
      `${CALLBACK}/`,
      `${CALLBACK}?a=b`,
      'https://evil.test',
      'http://localhost:4000/auth/callback/x',
    ]) {
      const { body } = await begin(id, uri).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['redirect_uri invalid_value']);
    }
    const { body } = await begin(id).expect(200);
    const { searchParams } = new URL(body.data.authorization_url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    expect(body.data.authorization_url).not.toContain(body.data.flow_token);
  });

  it('is offered by the domain alone', async () => {
    const id = await addProvider(liar.issuer, { name: 'Offered', domains: ['offered.test'] });
    const everywhere = await addProvider(liar.issuer, { name: 'Everybody' });
    const methods = async (email: string) =>
      (await app.as(null).get(`/auth/methods?email=${email}`).expect(200)).body.data;
    await app.person('Ann', { email: at('ann', 'offered.test') });
    const [known, unknown] = [await methods(at('ann', 'offered.test')), await methods(at('nobody', 'offered.test'))];
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ password: true, passkey: true });
    expect(known.providers).toContainEqual({ id, name: 'Offered' });
    const elsewhere = (await methods('ann@elsewhere.test')).providers;
    expect(elsewhere).toContainEqual({ id: everywhere, name: 'Everybody' });
    expect(elsewhere).not.toContainEqual({ id, name: 'Offered' });
    await app.as(null).get('/auth/methods').expect(400);
    await app.as(null).get('/auth/methods?email=nothing').expect(400);
  });
});
