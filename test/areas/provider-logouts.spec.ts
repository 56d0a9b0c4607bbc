import { randomBytes } from 'node:crypto';
import { enableSecondFactor, totpOf } from '../support/second-factor.js';
import { LyingProvider } from '../support/lying-provider.js';
import { CALLBACK, CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let liar: LyingProvider;
let ada: Person;
let provider: string;

beforeAll(async () => {
  liar = await LyingProvider.start();
  liar.metadata = { end_session_endpoint: `${liar.issuer}/end?from=here` };
  app = await TestApp.open({
    LIMIT_EXEMPT_ADDRESSES: '127.0.0.1',
    OIDC_REDIRECT_URIS: CALLBACK,
    IDENTITY_ALLOW: '127.0.0.0/8',
  });
  ada = await app.admin();
  provider = await addProvider();
});
afterAll(() => Promise.all([app.close(), liar.stop()]));

async function addProvider(more: object = {}): Promise<string> {
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  const body = { name: 'Company', issuer: liar.issuer, ...client, domains: ['company.test'], jit: true, ...more };
  return (await app.as(ada).post('/identity-providers').send(body).expect(201)).body.data.id;
}

const someone = (): string => `p${randomBytes(5).toString('hex')}`;
const at = (name: string): string => `${name}@company.test`;

/** Signs in as that person, in a session that the provider calls so. */
async function enter(name: string, sid?: string, from = provider): Promise<Record<string, string>> {
  const { body } = await app.as(null).post(`/auth/oidc/${from}/start`).send({ redirect_uri: CALLBACK }).expect(200);
  const { authorization_url: url, flow_token } = body.data;
  const claims = { sub: name, email: at(name), email_verified: true, ...(sid !== undefined && { sid }) };
  const answer = liar.signIn(url, claims);
  return (
    await app
      .as(null)
      .post('/auth/oidc/finish')
      .send({ flow_token, ...answer })
      .expect(200)
  ).body.data;
}
const personOf = ({ token }: Record<string, string>): Person => ({ token }) as Person;
const isSignedIn = async (person: Person): Promise<boolean> =>
  (await app.as(person).get('/auth/whoami')).status === 200;
const logOut = (token: string, from = provider) =>
  app.as(null).post(`/auth/oidc/${from}/logout`).type('form').send({ logout_token: token });

describe('a provider that signs somebody out', () => {
  it('ends the sessions that began in that session there, once', async () => {
    const [ann, ben] = [someone(), someone()];
    const [first, second, other] = [await enter(ann, 's1'), await enter(ann, 's2'), await enter(ben, 's3')].map(
      personOf,
    );
    const token = liar.logoutToken({ sid: 's1' });
    const { body, headers } = await logOut(token).expect(200);
    expect(body.data).toEqual({ status: 'logged_out' });
    expect(headers['cache-control']).toBe('no-store');
    expect(await Promise.all([first, second, other].map(isSignedIn))).toEqual([false, true, true]);
    const { body: again, headers: refused } = await logOut(token).expect(400);
    expect(again.error.code).toBe('verification_failed');
    expect(refused['cache-control']).toBe('no-store');
  });

  it('ends all sessions of a person, and no session that began in another way or at another provider', async () => {
    const [ann, ben] = [someone(), someone()];
    const signedIn = await enter(ann, 's4');
    const [first, second, other] = [signedIn, await enter(ann), await enter(ben, 's5')].map(personOf);
    const byPassword = await app.signInAgain({ id: signedIn.user_id } as Person);
    const elsewhere = await addProvider({ domains: ['elsewhere.test'] });
    await logOut(liar.logoutToken({ sub: ann }), elsewhere).expect(200);
    expect(await isSignedIn(first)).toBe(true);
    await logOut(liar.logoutToken({ sub: ann })).expect(200);
    expect(await Promise.all([first, second, other, byPassword].map(isSignedIn))).toEqual([false, false, true, true]);
    const { body: audit } = await app
      .as(ada)
      .get(`/audit?action=session.ended&entity_id=${signedIn.user_id}`)
      .expect(200);
    expect(audit.data).toMatchObject([{ actor_id: null, count: 2 }]);
  });

  it('ends with both names only what both mean, and what the provider told no session of', async () => {
    const ann = someone();
    const [first, second, third] = [await enter(ann, 's6'), await enter(ann, 's7'), await enter(ann)].map(personOf);
    await logOut(liar.logoutToken({ sub: someone(), sid: 's6' })).expect(200);
    expect(await isSignedIn(first)).toBe(true);
    await logOut(liar.logoutToken({ sub: ann, sid: 's6' })).expect(200);
    expect(await Promise.all([first, second, third].map(isSignedIn))).toEqual([false, true, false]);
  });

  it('ends sessions that a code of the service completed, too', async () => {
    const ann = someone();
    const first = await enter(ann, 's8');
    const { secret } = await enableSecondFactor(app, { ...personOf(first), id: first.user_id });
    const pending = await enter(ann, 's9');
    expect(pending.status).toBe('2fa_required');
    const sent = { pending_token: pending.pending_token, code: totpOf(secret) };
    const { body } = await app.as(null).post('/auth/totp/verify').send(sent).expect(200);
    await logOut(liar.logoutToken({ sid: 's9' })).expect(200);
    expect(await Promise.all([personOf(first), personOf(body.data)].map(isSignedIn))).toEqual([true, false]);
  });

  it.each<[string, (sub: string) => string]>([
    ['that another key signed', (sub) => liar.logoutToken({ sub }, { isSignedByAnother: true })],
    ['without a signature', (sub) => `${liar.logoutToken({ sub }, { alg: 'none' })}x`],
    ['signed with the client secret', (sub) => liar.logoutToken({ sub }, { alg: 'HS256' })],
    ['of another type', (sub) => liar.logoutToken({ sub }, { typ: 'at+jwt' })],
    ['of another issuer', (sub) => liar.logoutToken({ sub, iss: 'https://elsewhere.test' })],
    ['for another client', (sub) => liar.logoutToken({ sub, aud: 'another' })],
    ['that is three minutes old', (sub) => liar.logoutToken({ sub, iat: Math.floor(Date.now() / 1_000) - 180 })],
    ['from the future', (sub) => liar.logoutToken({ sub, iat: Math.floor(Date.now() / 1_000) + 180 })],
    ['without a time', (sub) => liar.logoutToken({ sub, iat: undefined })],
    ['that has expired', (sub) => liar.logoutToken({ sub, exp: Math.floor(Date.now() / 1_000) - 180 })],
    ['that is an ID token', (sub) => liar.logoutToken({ sub, nonce: 'n' })],
    ['about another event', (sub) => liar.logoutToken({ sub, events: { 'https://elsewhere.test': {} } })],
    ['without events', (sub) => liar.logoutToken({ sub, events: undefined })],
    ['without a name', (sub) => liar.logoutToken({ sub, jti: undefined })],
    ['about nobody', () => liar.logoutToken({})],
    ['with a name that is none', (sub) => liar.logoutToken({ sub, sid: 7 })],
    ['that is none', () => 'a.b.c'],
  ])('with a token %s ends nothing', async (_, tokenFor) => {
    const ann = someone();
    const person = personOf(await enter(ann));
    const { body } = await logOut(tokenFor(ann)).expect(400);
    expect(body.error.code).toBe('verification_failed');
    expect(await isSignedIn(person)).toBe(true);
    await logOut(liar.logoutToken({ sub: ann })).expect(200);
    expect(await isSignedIn(person)).toBe(false);
  });

  it('sends a form with one token; anything else is refused', async () => {
    const path = `/auth/oidc/${provider}/logout`;
    await app.as(null).post(path).send({ logout_token: 'a.b.c' }).expect(415);
    await app.as(null).post(path).type('form').send({ token: 'a.b.c' }).expect(400);
    await app.as(null).post(path).type('form').send('logout_token=a.b.c&logout_token=a.b.c').expect(400);
    await app.as(null).post(path).expect(400);
    await app
      .as(null)
      .post(path)
      .type('form')
      .send(`logout_token=${'a'.repeat(2 ** 20)}`)
      .expect(413);
    await logOut('a.b.c', `idp_${'0'.repeat(32)}`).expect(404);
  });
});

describe('signing out of a session that began at a provider', () => {
  it('tells where it ends there', async () => {
    const ann = personOf(await enter(someone()));
    const { body } = await app.as(ann).post('/auth/logout').expect(200);
    expect(body.data).toEqual({
      status: 'logged_out',
      end_session_url: `${liar.issuer}/end?from=here&client_id=${CLIENT_ID}`,
    });
    const { body: other } = await app
      .as(await app.person('Ben'))
      .post('/auth/logout')
      .expect(200);
    expect(other.data).toEqual({ status: 'logged_out' });
  });
});

describe('a person who signs in with a provider and has forgotten the password', () => {
  it('is told of the provider, in a mail beside that with the code, and the answer is as for anybody', async () => {
    const name = someone();
    await enter(name);
    const ben = await app.person('Ben');
    const forgot = (email: string) => app.as(null).post('/auth/forgot-password').send({ email }).expect(200);
    const answers = [await forgot(at(name)), await forgot(ben.email)].map(({ body }) => body);
    expect(answers[0]).toEqual(answers[1]);
    const subjects = async (email: string) => (await app.mail(email)).map(({ subject }) => subject).toSorted();
    await app.service.sendMails();
    expect(await subjects(at(name))).toEqual([
      'A way to sign in was added',
      'Choose a new password',
      'You sign in with Company',
    ]);
    expect(await subjects(ben.email)).toEqual(['Choose a new password']);
  });
});
