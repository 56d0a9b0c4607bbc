import { addPasskey } from '../support/authenticator.js';
import { Company, holdingsOf } from '../support/company.js';
import { LyingProvider } from '../support/lying-provider.js';
import { LOOPBACK_PROVIDERS } from '../support/lying-sign-ins.js';
import { CALLBACK } from '../support/openid-provider.js';
import { reasonOf } from '../support/refusals.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** Attempts of a company to enter accounts whose people it spoke for once: it decides what its provider says. */
const SETTINGS = { ...LOOPBACK_PROVIDERS, LIMIT_LOGIN_PER_MINUTE: '100000' };

let app: TestApp;
let ada: Person;
let liar: LyingProvider;
let company: Company;
let passwordHash: string;
let vic: Person;

beforeAll(async () => {
  [app, liar] = await Promise.all([TestApp.open(SETTINGS), LyingProvider.start()]);
  ada = await app.admin();
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => Promise.all([app.close(), liar.stop()]));

beforeEach(async () => {
  company = await Company.of(app, ada, liar);
  vic = await company.member({ passwordHash });
  await company.signIn(company.claims(vic.email));
});

const leave = (by: Person) => app.as(by).delete(`/organizations/${company.organization}/members/${vic.id}`);
const beginLink = async () => {
  const { body } = await app
    .as(null)
    .post(`/auth/oidc/${company.provider}/start`)
    .send({ redirect_uri: CALLBACK })
    .expect(200);
  const { authorization_url: url, flow_token } = body.data;
  return { flow_token, ...liar.signIn(url, company.claims(vic.email)) };
};

/** Expects that the company gets no session, and that the account stays as it is. */
async function expectNoEntry(): Promise<void> {
  const before = await holdingsOf(app, vic);
  const answer = await company.finish(company.claims(vic.email));
  expect([answer.status, reasonOf(answer)]).toEqual([403, 'link_required']);
  expect(await holdingsOf(app, vic)).toEqual(before);
}

describe('the provider of a company', () => {
  it.each([
    ['has left', () => vic],
    ['was removed', () => company.owner],
  ])('does not enter for a person who %s, and whom it links by an address alone', async (_, by) => {
    await leave(by()).expect(200);
    await expectNoEntry();
    const { body } = await app.as(vic).get('/auth/identities').expect(200);
    expect(body.data).toMatchObject([{ linked_by_user: false }]);
    await company.recruit(vic);
    await company.signIn(company.claims(vic.email));
  });

  it('proves nothing in the sessions of such a person', async () => {
    await leave(vic).expect(200);
    const begin = { redirect_uri: CALLBACK, provider_id: company.provider };
    await app.as(vic).post('/auth/step-up/oidc').send(begin).expect(400);
  });

  it('does not enter for a person who has become an administrator of the service', async () => {
    const promote = (isAdmin: boolean) => app.as(ada).patch(`/users/${vic.id}`).send({ is_admin: isAdmin }).expect(200);
    await promote(true);
    await expectNoEntry();
    await promote(false);
    await company.signIn(company.claims(vic.email));
  });

  it('does not enter for an administrator whose account it has made', async () => {
    const email = company.address();
    const mia = await company.signIn(company.claims(email));
    await app.as(ada).patch(`/users/${mia.id}`).send({ is_admin: true }).expect(200);
    const answer = await company.finish(company.claims(email));
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'link_required']);
  });

  it('keeps nothing that it opened or made of an account which becomes an administrator', async () => {
    const session = await company.signIn(company.claims(vic.email));
    const token = await tokenOf(app, session);
    await app.as(token).get('/tasks').expect(200);
    await app.as(ada).patch(`/users/${vic.id}`).send({ name: 'Victoria' }).expect(200);
    await app.as(session).get('/tasks').expect(200);
    await app.as(ada).patch(`/users/${vic.id}`).send({ is_admin: true }).expect(200);
    await app.as(session).get('/users').expect(401);
    await app.as(token).get('/users').expect(401);
  });

  it('gets nothing of an account that becomes an administrator at the same moment', async () => {
    const session = await company.signIn(company.claims(vic.email));
    const holder = await app.openConnection();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [vic.id]);
      // The promotion is the first to wait for the user; the others have been let in before it.
      const promoted = app.as(ada).patch(`/users/${vic.id}`).send({ is_admin: true }).then();
      await app.untilLockWaits(1);
      const entered = company.finish(company.claims(vic.email));
      const made = app
        .as(session)
        .post('/auth/tokens')
        .send({ name: 'Robot', scopes: ['*'] })
        .then();
      await app.untilLockWaits(3);
      await holder.query('COMMIT');
      const answers = await Promise.all([promoted, entered, made]);
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 401]);
    } finally {
      await holder.end();
    }
  });

  it('leaves the sessions of others who become administrators as they are', async () => {
    const ben = await app.person('Ben');
    const token = await tokenOf(app, ben);
    await app.as(ada).patch(`/users/${ben.id}`).send({ is_admin: true }).expect(200);
    await app.as(ben).get('/users').expect(200);
    await app.as(token).get('/tasks').expect(200);
  });

  it('enters for a person who has linked the identity, wherever that person is', async () => {
    await leave(vic).expect(200);
    const { body } = await app
      .as(vic)
      .post('/auth/identities')
      .send(await beginLink())
      .expect(201);
    expect(body.data).toMatchObject({ linked_by_user: true });
    await company.signIn(company.claims(vic.email));
    const again = await app
      .as(vic)
      .post('/auth/identities')
      .send(await beginLink());
    expect([again.status, reasonOf(again)]).toEqual([409, 'identity_taken']);
  });

  it('is no way in for a person who has left, so the other one stays, and the identity can go', async () => {
    const removeIdentity = async () => {
      const { body } = await app.as(vic).get('/auth/identities').expect(200);
      return app.as(vic).delete(`/auth/identities/${body.data[0].id}`);
    };
    const { id } = await addPasskey(app, vic);
    await app.database.query(`DELETE FROM credentials WHERE user_id = $1 AND kind = 'password'`, [vic.id]);
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [vic.id]);
    await leave(vic).expect(200);
    const answer = await app.as(vic).delete(`/auth/passkeys/${id}`);
    expect([answer.status, reasonOf(answer)]).toEqual([409, 'last_credential']);
    expect((await removeIdentity()).status).toBe(200);
  });

  it('is not linked by another account while it is linked by the address of this one', async () => {
    await leave(vic).expect(200);
    const other = await app.person('Otto');
    const answer = await app
      .as(other)
      .post('/auth/identities')
      .send(await beginLink());
    expect([answer.status, reasonOf(answer)]).toEqual([409, 'identity_taken']);
  });
});
