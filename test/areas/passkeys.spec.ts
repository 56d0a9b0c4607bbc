import { Authenticator, type Lies } from '../support/authenticator.js';
import { enableSecondFactor } from '../support/second-factor.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

const SETTINGS = { LIMIT_LOGIN_PER_MINUTE: '10000' };

let app: TestApp;
let passwordHash: string;

beforeAll(async () => {
  app = await TestApp.open(SETTINGS);
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => app.close());

const withPassword = (name = 'Ann'): Promise<Person> => app.person(name, { passwordHash });

const optionsFor = async (person: Person) =>
  (await app.as(person).post('/auth/passkeys/options').expect(200)).body.data;
const add = (person: Person, credential: object, name = 'Laptop') =>
  app.as(person).post('/auth/passkeys').send({ name, credential });

async function withPasskey(name = 'Ann'): Promise<{ ann: Person; device: Authenticator; id: string }> {
  const ann = await withPassword(name);
  const device = new Authenticator();
  const { body } = await add(ann, device.create(await optionsFor(ann))).expect(201);
  return { ann, device, id: body.data.id };
}

const loginOptions = async () => (await app.as(null).post('/auth/passkeys/login/options').expect(200)).body.data;
const login = (credential: object) => app.as(null).post('/auth/passkeys/login').send({ credential });
const signIn = async (device: Authenticator, lies: Lies = {}) => login(device.get(await loginOptions(), lies));

const subjects = async ({ email }: Person): Promise<string[]> =>
  (await app.mail(email)).map(({ subject }) => subject).toReversed();

describe('adding a passkey', () => {
  it('takes options and what the authenticator makes of them, and tells by mail', async () => {
    const ann = await withPassword();
    const options = await optionsFor(ann);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(64);
    const { body, headers } = await add(ann, new Authenticator().create(options)).expect(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^pky_/),
      user_id: ann.id,
      name: 'Laptop',
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      revision: 1,
    });
    const { body: read } = await app.as(ann).get(headers.location.replace('/api/v1', '')).expect(200);
    expect(read).toEqual(body);
    const again = await optionsFor(ann);
    expect(again.user.id).toBe(options.user.id);
    expect(again.excludeCredentials).toHaveLength(1);
    expect(await subjects(ann)).toEqual(['A passkey was added']);
  });

  it('works once for each challenge, in the session that asked for it, for five minutes', async () => {
    const ann = await withPassword();
    const options = await optionsFor(ann);
    await add(await app.signInAgain(ann), new Authenticator().create(options)).expect(400);
    await add(await withPassword('Ben'), new Authenticator().create(options)).expect(400);
    await add(ann, new Authenticator().create(options)).expect(201);
    await add(ann, new Authenticator().create(options)).expect(400);
    const late = await optionsFor(ann);
    await app.database.query('UPDATE webauthn_challenges SET expires_at = now()');
    await add(ann, new Authenticator().create(late)).expect(400);
    await add(ann, new Authenticator().create({ ...late, challenge: (await loginOptions()).challenge })).expect(400);
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'http://localhost.example.test' }],
    ['another domain', { rpId: 'example.test' }],
    ['another act', { type: 'webauthn.get' }],
    ['no verification of the person', { isUnverified: true }],
  ])('is refused for %s', async (_, lies) => {
    const ann = await withPassword();
    const { body } = await add(ann, new Authenticator().create(await optionsFor(ann), lies)).expect(400);
    expect(body.error.code).toBe('verification_failed');
    expect((await app.as(ann).get('/auth/passkeys').expect(200)).body.data).toEqual([]);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['something else', { id: 'x', response: { clientDataJSON: 'x' } }],
    ['broken bytes', { id: 'x', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: '////' } }],
  ])('is refused for %s', async (_, credential) => {
    await add(await withPassword(), credential).expect(400);
    await login(credential).expect(401);
  });

  it('rejects a passkey of another user, and an eleventh', async () => {
    const { ann, device } = await withPasskey();
    const ben = await withPassword('Ben');
    await add(ben, device.create(await optionsFor(ben))).expect(400);
    for (let number = 2; number <= 10; number += 1) {
      await add(ann, new Authenticator().create(await optionsFor(ann)), `Device ${number}`).expect(201);
    }
    const { body } = await add(ann, new Authenticator().create(await optionsFor(ann))).expect(409);
    expect(body.error.details.reason).toBe('too_many_passkeys');
  });
});

describe('signing in with a passkey', () => {
  it('takes no password and no second factor, and says so in the session', async () => {
    const { ann, device } = await withPasskey();
    await enableSecondFactor(app, ann);
    const { body: signedIn } = await login(device.get(await loginOptions())).expect(200);
    expect(signedIn.data).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.stringMatching(/Z$/),
      user_id: ann.id,
      name: 'Ann',
      email: ann.email,
    });
    const sessions = await app
      .as({ ...ann, token: signedIn.data.token })
      .get('/auth/sessions')
      .expect(200);
    expect(sessions.body.data[0]).toMatchObject({ is_current: true, method: 'passkey' });
    const { body: list } = await app.as(ann).get('/auth/passkeys').expect(200);
    expect(list.data[0].last_used_at).toMatch(/Z$/);
    const methods = (await app.as(null).post('/auth/login').send({ email: ann.email, password: PASSWORD })).body.data;
    expect(methods.methods).toEqual(['totp', 'recovery_code', 'passkey']);
  });

  it('offers the same options to everybody', async () => {
    const [one, other] = [await loginOptions(), await loginOptions()];
    expect({ ...one, challenge: '' }).toEqual({ ...other, challenge: '' });
    expect(one.allowCredentials).toEqual([]);
    expect(one.challenge).not.toBe(other.challenge);
  });

  it('takes a credential and nothing else', async () => {
    const { body } = await app.as(null).post('/auth/passkeys/login').send({ credential: 'x', name: 'x' }).expect(400);
    expect(fieldErrorsOf(body).toSorted()).toEqual(['credential invalid_type', 'name unknown_field']);
    await app.as(null).post('/auth/passkeys/login/options?email=ann@example.test').expect(400);
  });

  it('works once for each challenge, also for two requests at once', async () => {
    const { device } = await withPasskey();
    const credential = device.get(await loginOptions());
    const statuses = await Promise.all([1, 2, 3].map(async () => (await login(credential)).status));
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://localhost' }],
    ['another domain', { rpId: 'example.test' }],
    ['another act', { type: 'webauthn.create' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['no verification of the person', { isUnverified: true }],
    ['another user', { userHandle: 'AAAA' }],
  ])('is refused for %s, with one text', async (_, lies) => {
    const { device } = await withPasskey();
    const { status, body } = await signIn(device, lies);
    const { body: unknown } = await signIn(new Authenticator());
    expect([status, body.error.code, body.error.message]).toEqual([401, 'invalid_credentials', unknown.error.message]);
  });

  it('is refused for a wrong signature, and for a challenge of another purpose', async () => {
    const { ann, device } = await withPasskey();
    const credential = device.get(await loginOptions()) as { response: { signature: string } };
    const other = new Authenticator().get(await loginOptions()) as { response: { signature: string } };
    credential.response.signature = other.response.signature;
    await login(credential).expect(401);
    const { body } = await app.as(ann).post('/auth/step-up/options').expect(200);
    await login(device.get(body.data)).expect(401);
  });

  it('refuses a counter that runs backwards, records it and tells by mail', async () => {
    const { ann, device } = await withPasskey();
    for (const counter of [0, 0, 5, 6]) expect((await signIn(device, { counter })).status).toBe(200);
    for (const counter of [6, 5, 0]) expect((await signIn(device, { counter })).status).toBe(401);
    expect((await signIn(device, { counter: 7 })).status).toBe(200);
    const rows = await app.database.query(
      `SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'passkey.copied'`,
      [ann.id],
    );
    expect(rows).toHaveLength(3);
    expect((await subjects(ann)).filter((subject) => subject === 'A passkey was refused')).toHaveLength(3);
  });

  it('checks the account: suspended, inactive or closed by its user', async () => {
    const admin = await app.admin();
    const { ann: sue, device: one } = await withPasskey('Sue');
    await app.as(admin).patch(`/users/${sue.id}`).send({ status: 'suspended' }).expect(200);
    expect((await signIn(one)).body.error.code).toBe('account_suspended');
    const { ann: ina, device: two } = await withPasskey('Ina');
    await app.as(admin).patch(`/users/${ina.id}`).send({ status: 'inactive' }).expect(200);
    expect((await signIn(two)).status).toBe(401);
    const { ann: clo, device: three } = await withPasskey('Clo');
    await app.as(clo).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(200);
    expect((await signIn(three)).status).toBe(200);
  });

  it('is limited for each address', async () => {
    const other = await TestApp.open(SETTINGS);
    const statuses: number[] = [];
    for (let number = 0; number < 61; number += 1) {
      statuses.push((await other.as(null).post('/auth/passkeys/login/options')).status);
    }
    expect([statuses[59], statuses[60]]).toEqual([200, 429]);
    await other.close();
  });
});

describe('a passkey', () => {
  it('can be renamed, and removed, which ends all other sessions and tells by mail', async () => {
    const { ann, device, id } = await withPasskey();
    const elsewhere = await app.signInAgain(ann);
    const { body } = await app.as(ann).patch(`/auth/passkeys/${id}`).send({ name: 'Old laptop' }).expect(200);
    expect(body.data).toMatchObject({ name: 'Old laptop', revision: 2 });
    await app.as(ann).patch(`/auth/passkeys/${id}`).set('If-Match', '"1"').send({ name: 'New' }).expect(412);
    await app.as(ann).delete(`/auth/passkeys/${id}`).set('If-Match', '"1"').expect(412);
    await app.as(elsewhere).get('/auth/whoami').expect(200);
    await app.as(ann).delete(`/auth/passkeys/${id}`).expect(200);
    await app.as(elsewhere).get('/auth/whoami').expect(401);
    await app.as(ann).get(`/auth/passkeys/${id}`).expect(404);
    expect((await signIn(device)).status).toBe(401);
    expect(await subjects(ann)).toEqual(['A passkey was added', 'A passkey was removed']);
  });

  it('is invisible to others, administrators as well', async () => {
    const { id } = await withPasskey();
    for (const person of [await withPassword('Ben'), await app.admin()]) {
      await app.as(person).get(`/auth/passkeys/${id}`).expect(404);
      await app.as(person).patch(`/auth/passkeys/${id}`).send({ name: 'Mine' }).expect(404);
      await app.as(person).delete(`/auth/passkeys/${id}`).expect(404);
      expect((await app.as(person).get('/auth/passkeys').expect(200)).body.data).toEqual([]);
    }
  });

  it('stays if it is the only way to sign in', async () => {
    const { ann, id } = await withPasskey();
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ann.id]);
    const { body } = await app.as(ann).delete(`/auth/passkeys/${id}`).expect(409);
    expect(body.error.details.reason).toBe('last_credential');
    await add(ann, new Authenticator().create(await optionsFor(ann))).expect(201);
    await app.as(ann).delete(`/auth/passkeys/${id}`).expect(200);
  });

  it('proves that it is you, in the session that asked for it', async () => {
    const { ann, device } = await withPasskey();
    const options = async (person: Person) =>
      (await app.as(person).post('/auth/step-up/options').expect(200)).body.data;
    const prove = (person: Person, credential: object) => app.as(person).post('/auth/step-up').send({ credential });
    expect((await options(ann)).allowCredentials).toHaveLength(1);
    await app.database.query(`UPDATE sessions SET proved_at = now() - interval '16 minutes' WHERE user_id = $1`, [
      ann.id,
    ]);
    const refused = await app.as(ann).post('/auth/passkeys/options').expect(403);
    expect(refused.body.error.details.methods).toEqual(['password', 'passkey']);
    await prove(await app.signInAgain(ann), device.get(await options(ann))).expect(400);
    await prove(ann, device.get(await loginOptions())).expect(400);
    const ben = await withPassword('Ben');
    await prove(ben, device.get(await options(ben))).expect(400);
    await prove(ann, device.get(await options(ann))).expect(200);
    await app.as(ann).post('/auth/passkeys/options').expect(200);
  });

  it('is erased with the account', async () => {
    const { ann, device } = await withPasskey();
    await app
      .as(await app.admin())
      .delete(`/users/${ann.id}?erase=now`)
      .expect(200);
    expect((await signIn(device)).status).toBe(401);
  });
});

describe('a service without a domain', () => {
  it('has no passkeys, and says so', async () => {
    const other = await TestApp.open({ PUBLIC_URL: 'http://127.0.0.1:3000', WEBAUTHN_ORIGINS: '' });
    const ann = await other.person('Ann');
    const credential = new Authenticator().get({ challenge: 'AAAA', rpId: 'localhost' });
    const calls = [
      other.as(ann).post('/auth/passkeys/options'),
      other.as(ann).post('/auth/step-up/options'),
      other.as(ann).post('/auth/passkeys').send({ name: 'Laptop', credential }),
      other.as(null).post('/auth/passkeys/login/options'),
      other.as(null).post('/auth/passkeys/login').send({ credential }),
    ];
    for (const call of calls) expect((await call.expect(409)).body.error.details.reason).toBe('passkeys_off');
    await other.close();
  });
});
