import { randomBytes } from 'node:crypto';
import { Authenticator } from '../support/authenticator.js';
import { enableSecondFactor, forgetUsedCodes, totpOf } from '../support/second-factor.js';
import { LyingProvider } from '../support/lying-provider.js';
import { finishAt, LOOPBACK_PROVIDERS, signInAt } from '../support/lying-sign-ins.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let liar: LyingProvider;
let passwordHash: string;
let ada: Person;
/** The owner, who keeps a password with a second factor. */
let olga: Person;
let secret: string;
let organization: string;
let domain: string;
let provider: string;

beforeAll(async () => {
  liar = await LyingProvider.start();
  app = await TestApp.open({ ...LOOPBACK_PROVIDERS, LIMIT_LOGIN_PER_MINUTE: '10000' });
  passwordHash = await app.service.hashPassword(PASSWORD);
  ada = await app.person('Ada', { isAdmin: true, passwordHash });
});
afterAll(() => Promise.all([app.close(), liar.stop()]));

const account = (name: string, more: object = {}): Promise<Person> =>
  app.person(name, { email: `${name.toLowerCase()}@${domain}`, passwordHash, ...more });
const member = async (name: string, role = 'member'): Promise<Person> => {
  const person = await account(name);
  await app.join(organization, person, role);
  return person;
};
const body = (more: object = {}) => ({
  name: 'Company',
  issuer: liar.issuer,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  organization_id: organization,
  domains: [domain],
  ...more,
});
const require = (required = true, person = olga) =>
  app.as(person).patch(`/identity-providers/${provider}`).send({ required });
const reasonOf = (answer: { error: { details: { reason?: string } } }) => answer.error.details.reason;
const login = ({ email }: Person, password = PASSWORD) => app.as(null).post('/auth/login').send({ email, password });
/** Signs in with the password and the code. */
const loginWithCode = async (person: Person) => {
  await forgetUsedCodes(app, person);
  const { body: pending } = await login(person).expect(200);
  const sent = { pending_token: pending.data.pending_token, code: totpOf(secret) };
  return app.as(null).post('/auth/totp/verify').send(sent);
};

beforeEach(async () => {
  domain = `d${randomBytes(5).toString('hex')}.test`;
  olga = await account('Olga');
  organization = await app.organization(olga);
  provider = (await app.as(ada).post('/identity-providers').send(body()).expect(201)).body.data.id;
  ({ secret } = await enableSecondFactor(app, olga));
});

describe('a provider that an organization requires', () => {
  it('is the only way in for its members, after the right proof', async () => {
    const ben = await member('Ben');
    await login(ben).expect(200);
    await require().expect(200);
    await login(ben, 'a wrong password at all').expect(401);
    const { body: refused } = await login(ben).expect(403);
    expect(refused.error.details).toMatchObject({
      reason: 'sso_required',
      provider: { id: provider, name: 'Company' },
    });
    await app.database.query(`UPDATE organization_resources SET added_by = user_id WHERE user_id = $1`, [ben.id]);
    const claims = { sub: 'ben', email: ben.email, email_verified: true };
    expect((await signInAt(app, liar, provider, claims)).id).toBe(ben.id);
    await require(false).expect(200);
    await login(ben).expect(200);
  });

  it('is so also instead of a passkey, a code of an app, and another provider', async () => {
    const ben = await member('Ben');
    const device = new Authenticator();
    const { body: options } = await app.as(ben).post('/auth/passkeys/options').expect(200);
    const added = { name: 'Laptop', credential: device.create(options.data) };
    await app.as(ben).post('/auth/passkeys').send(added).expect(201);
    const second = await enableSecondFactor(app, ben);
    await require().expect(200);
    const { body: asked } = await app.as(null).post('/auth/passkeys/login/options').expect(200);
    const byPasskey = { credential: device.get(asked.data) };
    const { body: passkey } = await app.as(null).post('/auth/passkeys/login').send(byPasskey).expect(403);
    expect(reasonOf(passkey)).toBe('sso_required');
    const { body: pending } = await login(ben).expect(200);
    const sent = { pending_token: pending.data.pending_token, code: totpOf(second.secret) };
    const { body: code } = await app.as(null).post('/auth/totp/verify').send(sent).expect(403);
    expect(reasonOf(code)).toBe('sso_required');
    const other = { ...body({ organization_id: undefined, name: 'Everybody' }), domains: [domain] };
    const { body: instance } = await app.as(ada).post('/identity-providers').send(other).expect(201);
    const cara = await member('Cara');
    const claims = { sub: 'cara', email: cara.email, email_verified: true };
    const answer = await finishAt(app, liar, instance.data.id, claims);
    expect([answer.status, reasonOf(answer.body)]).toEqual([403, 'sso_required']);
  });

  it('concerns neither other people nor other addresses, nor administrators', async () => {
    const [outsider, elsewhere, admin] = [
      await account('Otto'),
      await app.person('Eve', { passwordHash }),
      await account('Anton', { isAdmin: true }),
    ];
    for (const person of [elsewhere, admin]) await app.join(organization, person, 'member');
    await require().expect(200);
    for (const person of [outsider, elsewhere, admin]) await login(person).expect(200);
    // Not while the organization cannot prove the domain.
    const ben = await member('Ben');
    await login(ben).expect(403);
    const { body: domains } = await app.as(olga).get(`/organizations/${organization}/domains`).expect(200);
    await app.as(olga).delete(`/organizations/${organization}/domains/${domains.data[0].id}`).expect(200);
    await login(ben).expect(200);
  });

  it('leaves owners a passkey, or a password with a second factor, but no password alone', async () => {
    const sue = await member('Sue', 'owner');
    await require().expect(200);
    await login(sue).expect(403);
    expect((await loginWithCode(olga)).status).toBe(200);
    expect((await loginWithCode(olga)).body.data.user_id).toBe(olga.id);
  });

  it('cannot be required while no owner has such a way in, nor can the last owner drop it', async () => {
    const code = async (person: Person) => {
      await forgetUsedCodes(app, person);
      return app
        .as(person)
        .post('/auth/totp/disable')
        .send({ code: totpOf(secret) });
    };
    await require().expect(200);
    const refused = await code(olga);
    expect([refused.status, reasonOf(refused.body)]).toEqual([409, 'no_way_in']);
    expect((await app.as(olga).get('/auth/totp/status').expect(200)).body.data.enabled).toBe(true);
    const device = new Authenticator();
    const { body: options } = await app.as(olga).post('/auth/passkeys/options').expect(200);
    const added = { name: 'Laptop', credential: device.create(options.data) };
    const { body: passkey } = await app.as(olga).post('/auth/passkeys').send(added).expect(201);
    expect((await code(olga)).status).toBe(200);
    const { body: last } = await app.as(olga).delete(`/auth/passkeys/${passkey.data.id}`).expect(409);
    expect(reasonOf(last)).toBe('no_way_in');
    const enable = (isEnabled: boolean) =>
      app.as(olga).patch(`/identity-providers/${provider}`).send({ is_enabled: isEnabled });
    await enable(false).expect(200);
    await app.as(olga).delete(`/auth/passkeys/${passkey.data.id}`).expect(200);
    expect(reasonOf((await enable(true).expect(409)).body)).toBe('no_way_in');
    await require(false).expect(200);
    await enable(true).expect(200);
    expect(reasonOf((await require().expect(409)).body)).toBe('no_way_in');
    const created = await app
      .as(ada)
      .post('/identity-providers')
      .send(body({ required: true }));
    expect([created.status, reasonOf(created.body)]).toEqual([409, 'no_way_in']);
  });

  it('is what is mailed to a member who has forgotten the password, instead of a code', async () => {
    const ben = await member('Ben');
    await require().expect(200);
    await app.as(null).post('/auth/forgot-password').send({ email: ben.email }).expect(200);
    await app.service.sendMails();
    expect((await app.mail(ben.email)).map(({ subject }) => subject)).toEqual(['You sign in with Company']);
    await app.as(null).post('/auth/forgot-password').send({ email: olga.email }).expect(200);
    await app.service.sendMails();
    const subjects = (await app.mail(olga.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Choose a new password');
  });

  it('refuses the code of a sign-up that makes a member, too', async () => {
    const { body: invitation } = await app
      .as(olga)
      .post('/invitations')
      .send({ organization_id: organization })
      .expect(201);
    await require().expect(200);
    const email = `new@${domain}`;
    const sent = { name: 'New', email, password: PASSWORD, invitation_token: invitation.data.token };
    await app.as(null).post('/auth/register').send(sent).expect(201);
    const [{ code }] = await app.mail(email);
    const { body: refused } = await app.as(null).post('/auth/verify').send({ email, code }).expect(403);
    expect(reasonOf(refused)).toBe('sso_required');
  });
});

describe('an access token of a member who has to sign in with a provider', () => {
  it('reaches the organization for 30 days after the last sign-in, and everything else for as long as it lives', async () => {
    const ben = await member('Ben');
    const endeavour = await app.endeavour(olga, { organization_id: organization });
    const task = await app.task(olga, endeavour);
    const mine = await app.endeavour(ben);
    const token = await tokenOf(app, ben);
    await app.as(token).get(`/tasks/${task}`).expect(200);
    await require().expect(200);
    const refused = async () => {
      for (const path of [`/tasks/${task}`, `/organizations/${organization}`, `/tasks?endeavour_id=${endeavour}`]) {
        const { body: answer } = await app.as(token).get(path).expect(403);
        expect([path, reasonOf(answer)]).toEqual([path, 'sso_required']);
      }
      const { body: list } = await app.as(token).get('/endeavours').expect(200);
      expect(list.data.map(({ id }: { id: string }) => id)).toEqual([mine]);
    };
    await refused();
    await app.database.query(`UPDATE organization_resources SET added_by = user_id WHERE user_id = $1`, [ben.id]);
    await signInAt(app, liar, provider, { sub: 'ben', email: ben.email, email_verified: true });
    await app.as(token).get(`/tasks/${task}`).expect(200);
    await app.database.query(
      `UPDATE identities SET last_used_at = now() - interval '31 days', created_at = now() - interval '31 days'
       WHERE user_id = $1`,
      [ben.id],
    );
    await refused();
    // Another member's token is not concerned, nor is the session.
    await app.as(ben).get(`/tasks/${task}`).expect(200);
    const outside = await app.person('Eve');
    await app.join(organization, outside, 'member');
    await app
      .as(await tokenOf(app, outside))
      .get(`/tasks/${task}`)
      .expect(200);
  });
});
