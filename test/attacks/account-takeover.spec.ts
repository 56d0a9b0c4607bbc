import { Company, holdingsOf } from '../support/company.js';
import { LyingProvider } from '../support/lying-provider.js';
import { LOOPBACK_PROVIDERS } from '../support/lying-sign-ins.js';
import { CALLBACK } from '../support/openid-provider.js';
import { race } from '../support/races.js';
import { reasonOf } from '../support/refusals.js';
import { enableSecondFactor } from '../support/second-factor.js';
import { PASSWORD, register } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/**
 * Attempts to get into the account of another person, by what providers, directories, addresses and invitations say. Those that
 * begin with the state of the account are in outlived-accounts.spec.ts.
 */
const SETTINGS = {
  ...LOOPBACK_PROVIDERS,
  LIMIT_LOGIN_PER_MINUTE: '100000',
  LIMIT_WRITES_PER_MINUTE: '100000',
  LIMIT_INVITATIONS_PER_HOUR: '100000',
};

let app: TestApp;
let ada: Person;
/** The provider of the company, and that of the attacker. */
let honest: LyingProvider;
let evil: LyingProvider;
let passwordHash: string;
let company: Company;
let attacker: Company;

beforeAll(async () => {
  [app, honest, evil] = await Promise.all([TestApp.open(SETTINGS), LyingProvider.start(), LyingProvider.start()]);
  ada = await app.admin();
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => Promise.all([app.close(), honest.stop(), evil.stop()]));
beforeEach(async () => {
  company = await Company.of(app, ada, honest);
  attacker = await Company.of(app, ada, evil);
});

const login = (email: string, password = PASSWORD) => app.as(null).post('/auth/login').send({ email, password });
const accountsWith = (email: string) =>
  app.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);

/** The attack leaves the account of the victim as it was. */
async function expectUntouched<T>(victim: Person, attack: () => Promise<T>): Promise<T> {
  const before = await holdingsOf(app, victim);
  const result = await attack();
  expect(await holdingsOf(app, victim)).toEqual(before);
  return result;
}

describe('an address in a foreign domain', () => {
  it.each<[string, (email: string, own: string) => string]>([
    ['as it is', (email) => email],
    ['in capitals and between spaces', (email) => ` ${email.toUpperCase()} `],
    ['before the own domain', (email, own) => `${email}@${own}`],
    ['in quotes before the own domain', (email, own) => `"${email}"@${own}`],
    ['with the own domain in a comment', (email, own) => `${email}(${own})`],
    ['with a percent sign for routing', (email, own) => `${email.replace('@', '%')}@${own}`],
    ['below the own domain', (email, own) => email.replace('@', `@${own}.`)],
    ['in a list', (email, own) => `a@${own}, ${email}`],
    ['after a line end', (email, own) => `a@${own}\n${email}`],
  ])('that a provider claims %s is no way in', async (_, lie) => {
    const victim = await company.member();
    const email = lie(victim.email, attacker.directory.domain);
    const { body } = await expectUntouched(victim, () => attacker.finish(attacker.claims(email, { sub: 'x' })));
    expect(body.data?.user_id).not.toBe(victim.id);
  });

  it('is not added by a directory, neither at once nor by changes of a person of its own', async () => {
    const victim = await company.member();
    const { directory } = attacker;
    await expectUntouched(victim, async () => {
      await directory.post('/Users', directory.user({ userName: victim.email })).expect(403);
      const own = await directory.add();
      const at = `/Users/${own.id}`;
      await directory.put(at, directory.user({ userName: victim.email })).expect(403);
      await directory.patch(at, { op: 'replace', path: 'userName', value: victim.email }).expect(403);
      // The address of the account is the primary one: first both are there, and then the own one is primary no more.
      const emails = [
        { value: own.userName, primary: true },
        { value: victim.email, type: 'work' },
      ];
      await directory.patch(at, { op: 'replace', path: 'emails', value: emails }).expect(200);
      const demotion = { op: 'replace', path: `emails[value eq "${String(own.userName)}"].primary`, value: false };
      await directory.patch(at, demotion).expect(403);
      await directory.patch(at, { op: 'remove', path: 'emails[primary eq true]' }).expect(403);
    });
  });
});

describe('an address that is not verified', () => {
  it.each([undefined, null, false, 'false', 'TRUE', 1, {}, ['true']])(
    'by email_verified %j links nothing',
    async (word) => {
      const victim = await company.member();
      const claims = company.claims(victim.email, { sub: 'mallory', email_verified: word });
      const answer = await expectUntouched(victim, () => company.finish(claims));
      expect([answer.status, reasonOf(answer)]).toEqual([403, 'identity_unknown']);
    },
  );

  it('in a sign-up that waits gives its password no way in once the person comes by the provider', async () => {
    const email = company.address();
    await register(app, { email, password: 'three garden gates' });
    const [{ code }] = await app.mail(email);
    const victim = await company.signIn(company.claims(email));
    await expectUntouched(victim, async () => {
      await app.as(null).post('/auth/verify').send({ email, code }).expect(400);
      await login(email, 'three garden gates').expect(401);
    });
  });

  it('in a change of an address that waits comes too late for an account of the provider', async () => {
    const mallory = await app.person('Mallory', { passwordHash });
    const email = company.address();
    const change = { new_email: email, current_password: PASSWORD };
    await app.as(mallory).post('/auth/email/change').send(change).expect(200);
    const [{ code }] = await app.mail(email);
    const victim = await company.signIn(company.claims(email));
    await expectUntouched(victim, () => app.as(mallory).post('/auth/email/verify').send({ code }).expect(409));
    expect(await holdingsOf(app, mallory)).toMatchObject({ account: { email: mallory.email } });
  });
});

describe('an address that changes', () => {
  it('at the provider, to that of another person, signs in to the own account', async () => {
    const victim = await company.member();
    const mallory = await company.signIn(company.claims(company.address(), { sub: 'mallory' }));
    const again = await expectUntouched(victim, () => company.signIn(company.claims(victim.email, { sub: 'mallory' })));
    expect(again.id).toBe(mallory.id);
  });

  it('in the directory, to that of another person, is refused', async () => {
    const victim = await company.member();
    const own = await company.directory.add();
    const change = { op: 'replace', path: 'userName', value: victim.email };
    await expectUntouched(victim, () => company.directory.patch(`/Users/${own.id}`, change).expect(409));
  });

  it('here, out of the domain, leaves provider and directory nothing that leads to the account', async () => {
    const { id, userName } = await company.directory.add();
    const email = `vic.${id}@home.example`;
    await app.database.query('UPDATE users SET email = $2 WHERE id = $1', [id, email]);
    const victim = { id } as Person;
    await expectUntouched(victim, async () => {
      await company.directory.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'X' }).expect(200);
      expect(reasonOf(await company.finish(company.claims(email)))).toBe('identity_unknown');
      // The address that the person has given up is that of a new account.
      const other = await company.signIn(company.claims(String(userName)));
      expect(other.id).not.toBe(id);
    });
  });
});

describe('an address that was given to another person', () => {
  it('does not bring the account of the former one, which is linked', async () => {
    const victim = await company.signIn(company.claims(company.address()));
    const successor = company.claims(victim.email, { sub: 'successor' });
    expect(reasonOf(await expectUntouched(victim, () => company.finish(successor)))).toBe('link_required');
  });

  it('does not do so after the identity was removed, or the directory has deleted and added the person', async () => {
    const { id, userName } = await company.directory.add();
    const email = String(userName);
    const victim = await company.signIn(company.claims(email));
    await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [id, passwordHash]);
    const { body } = await app.as(victim).get('/auth/identities').expect(200);
    await app.as(victim).delete(`/auth/identities/${body.data[0].id}`).expect(200);
    const successor = company.claims(email, { sub: 'successor' });
    expect(reasonOf(await expectUntouched(victim, () => company.finish(successor)))).toBe('link_required');
    await company.directory.delete(`/Users/${id}`).expect(204);
    expect(reasonOf(await expectUntouched(victim, () => company.finish(successor)))).toBe('identity_unknown');
    expect((await company.directory.add({ userName: email })).id).toBe(id);
    expect(reasonOf(await expectUntouched(victim, () => company.finish(successor)))).toBe('link_required');
  });
});

describe('a provider that lies', () => {
  it('about who somebody is reaches nobody of another company, whose words for people it knows', async () => {
    const victim = await company.signIn(company.claims(company.address(), { sub: 'ada' }));
    const said = attacker.claims(attacker.address(), { sub: 'ada' });
    const mallory = await expectUntouched(victim, () => attacker.signIn(said));
    expect(mallory.id).not.toBe(victim.id);
    const refused = await expectUntouched(victim, () => attacker.finish({ ...said, sub: 'eve', email: victim.email }));
    expect(reasonOf(refused)).toBe('identity_unknown');
  });

  it('finishes nothing that was begun at another', async () => {
    const victim = await company.signIn(company.claims(company.address()));
    const start = async ({ provider }: Company) =>
      (await app.as(null).post(`/auth/oidc/${provider}/start`).send({ redirect_uri: CALLBACK }).expect(200)).body.data;
    const [right, wrong] = [await start(company), await start(attacker)];
    const returned = evil.signIn(wrong.authorization_url, company.claims(victim.email));
    await expectUntouched(victim, async () => {
      const finish = (body: object) => app.as(null).post('/auth/oidc/finish').send(body).expect(401);
      await finish({ ...returned, flow_token: right.flow_token });
      const { searchParams } = new URL((await start(company)).authorization_url);
      const again = await start(company);
      await finish({ ...returned, flow_token: again.flow_token, state: searchParams.get('state') });
      await finish({ ...returned, flow_token: wrong.flow_token, iss: honest.issuer });
    });
  });

  it('signs out nobody who signed in elsewhere', async () => {
    const victim = await company.signIn(company.claims(company.address(), { sid: 'a-session' }));
    const about = { sub: victim.email, sid: 'a-session' };
    const logOut = (provider: string, token: string) =>
      app.as(null).post(`/auth/oidc/${provider}/logout`).type('form').send({ logout_token: token });
    await expectUntouched(victim, async () => {
      await logOut(attacker.provider, evil.logoutToken(about)).expect(200);
      await logOut(company.provider, evil.logoutToken(about)).expect(400);
      await logOut(company.provider, evil.logoutToken({ ...about, iss: honest.issuer })).expect(400);
    });
  });

  it('about an administrator of the service, a member by an own act, is not believed', async () => {
    const victim = await company.member();
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [victim.id]);
    const answer = await expectUntouched(victim, () => company.finish(company.claims(victim.email)));
    expect(reasonOf(answer)).toBe('link_required');
  });
});

describe('an invitation and the directory at the same time', () => {
  const accept = (person: Person, token: string) => app.as(person).post('/invitations/accept').send({ token });

  race('never let in a person whom the directory dismisses', 8, async () => {
    const victim = await app.person('Pia', { email: company.address() });
    await company.directory.add({ userName: victim.email });
    const token = await company.invite('admin');
    const leave = { op: 'replace', path: 'active', value: false };
    const [accepted, left] = await Promise.all([
      accept(victim, token),
      company.directory.patch(`/Users/${victim.id}`, leave),
    ]);
    expect([left.status, [200, 400, 401]]).toEqual([200, expect.arrayContaining([accepted.status])]);
    expect(await company.roleOf(victim)).toBeUndefined();
  });

  race(
    'make one account, which the provider gets only if the company made it or its person has agreed',
    8,
    async (n) => {
      const email = company.address();
      const invitation = n % 2 === 0 ? { invitation_token: await company.invite('admin') } : {};
      await app
        .as(null)
        .post('/auth/register')
        .send({ name: 'Pia', email, password: PASSWORD, ...invitation })
        .expect(201);
      const [{ code }] = await app.mail(email);
      const [signedUp, added, entered] = await Promise.all([
        app.as(null).post('/auth/verify').send({ email, code }),
        company.directory.post('/Users', company.directory.user({ userName: email })),
        company.finish(company.claims(email)),
      ]);
      expect([signedUp, added, entered].map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const [account, ...more] = await accountsWith(email);
      expect(more).toEqual([]);
      const { makers, identities } = await holdingsOf(app, account);
      // Whoever came first decides: the person with the code and the password, or the company.
      const isOwn = signedUp.status === 200;
      expect(makers).toEqual(isOwn ? [] : [company.organization]);
      await login(email).expect(isOwn ? 200 : 401);
      const hasAgreed = 'invitation_token' in invitation;
      if (isOwn && !hasAgreed) {
        expect(identities).toEqual([]);
        const answer = await company.finish(company.claims(email));
        expect([answer.status, reasonOf(answer)]).toEqual([403, 'link_required']);
      }
    },
  );
});

describe('linking an identity without a recent proof', () => {
  const age = ({ id }: Person) =>
    app.database.query(
      `UPDATE sessions SET created_at = now() - interval '1 hour', proved_at = now() - interval '16 minutes'
       WHERE user_id = $1`,
      [id],
    );
  /** What somebody with a copy of the token of a session would do to stay. */
  const attempts = async (victim: Person): Promise<[number, string | undefined][]> => {
    const { body } = await app.as(null).post(`/auth/oidc/${attacker.provider}/start`).send({ redirect_uri: CALLBACK });
    const { authorization_url: url, flow_token } = body.data;
    const flow = { flow_token, ...evil.signIn(url, attacker.claims(attacker.address())) };
    const answers = [
      await app.as(victim).post('/auth/identities').send(flow),
      await app.as(victim).post('/auth/passkeys/options'),
      await app
        .as(victim)
        .post('/auth/tokens')
        .send({ name: 'Robot', scopes: ['*'] }),
    ];
    return answers.map((answer) => [answer.status, reasonOf(answer)]);
  };
  const allRefused = (reason: string) => Array.from({ length: 3 }, () => [403, reason]);

  it('is refused in a session whose token was copied, like all that would last', async () => {
    const victim = await app.person('Vic', { passwordHash });
    await age(victim);
    expect(await expectUntouched(victim, () => attempts(victim))).toEqual(allRefused('proof_required'));
  });

  it('is refused after the password alone where a second factor is on', async () => {
    const victim = await app.person('Vic', { passwordHash });
    await enableSecondFactor(app, victim);
    await age(victim);
    await app.as(victim).post('/auth/step-up').send({ password: PASSWORD }).expect(400);
    expect(await expectUntouched(victim, () => attempts(victim))).toEqual(allRefused('proof_required'));
  });

  it('is refused to access tokens, which cannot prove anything', async () => {
    const victim = await app.person('Vic', { passwordHash });
    const robot = await tokenOf(app, victim);
    expect(await expectUntouched(victim, () => attempts(robot))).toEqual(allRefused('session_required'));
    const proof = await app.as(robot).post('/auth/step-up').send({ password: PASSWORD }).expect(403);
    expect(reasonOf(proof)).toBe('session_required');
  });
});
