import { randomBytes } from 'node:crypto';
import { addPasskey, type Authenticator } from '../support/authenticator.js';
import { Company, holdingsOf } from '../support/company.js';
import { linkedIdentity } from '../support/identities.js';
import { LyingProvider } from '../support/lying-provider.js';
import { LOOPBACK_PROVIDERS } from '../support/lying-sign-ins.js';
import { CALLBACK } from '../support/openid-provider.js';
import { race } from '../support/races.js';
import { reasonOf } from '../support/refusals.js';
import { enableSecondFactor } from '../support/second-factor.js';
import { PASSWORD, register } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

/** Attempts to get into an account whose last way in is removed, or that is an agent's, suspended, erased or closed. */
const SETTINGS = { ...LOOPBACK_PROVIDERS, LIMIT_LOGIN_PER_MINUTE: '100000', LIMIT_WRITES_PER_MINUTE: '100000' };

let app: TestApp;
let ada: Person;
let liar: LyingProvider;
let passwordHash: string;
let company: Company;

beforeAll(async () => {
  [app, liar] = await Promise.all([TestApp.open(SETTINGS), LyingProvider.start()]);
  ada = await app.admin();
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => Promise.all([app.close(), liar.stop()]));
beforeEach(async () => {
  company = await Company.of(app, ada, liar);
});

const byPasskey = async (device: Authenticator) => {
  const { body } = await app.as(null).post('/auth/passkeys/login/options').expect(200);
  return app
    .as(null)
    .post('/auth/passkeys/login')
    .send({ credential: device.get(body.data) });
};
const byPassword = ({ email }: Person, password = PASSWORD) =>
  app.as(null).post('/auth/login').send({ email, password });
const beginAt = async (person: Person) => {
  const start = app.as(null).post(`/auth/oidc/${company.provider}/start`).send({ redirect_uri: CALLBACK });
  const { authorization_url: url, flow_token } = (await start.expect(200)).body.data;
  return { flow_token, ...liar.signIn(url, company.claims(person.email)) };
};
const statusOf = async ({ id }: Person) =>
  (await app.database.one<{ status: string }>('SELECT status FROM users WHERE id = $1', [id]))?.status;

/** Somebody with every way in: a password, a passkey, and an identity at the provider of the company. */
const armed = async () => {
  const victim = await company.member({ passwordHash });
  const { device } = await addPasskey(app, victim);
  await company.signIn(company.claims(victim.email));
  return { victim, device };
};

/** What each way in answers, one that was begun before included; a new password is set on the way. */
async function tryEverything(victim: Person, device: Authenticator, begun: object) {
  const code = async (): Promise<string | undefined> => {
    await app.as(null).post('/auth/forgot-password').send({ email: victim.email }).expect(200);
    return (await app.mail(victim.email)).find((mail) => mail.code !== undefined)?.code;
  };
  const reset = { email: victim.email, code: (await code()) ?? 'abc-def-ghi', new_password: 'three garden gates' };
  const answers = {
    session: await app.as(victim).get('/auth/whoami'),
    password: await byPassword(victim),
    passkey: await byPasskey(device),
    begun: await app.as(null).post('/auth/oidc/finish').send(begun),
    provider: await company.finish(company.claims(victim.email)),
    reset: await app.as(null).post('/auth/reset-password').send(reset),
    afterwards: await byPassword(victim, 'three garden gates'),
  };
  return Object.fromEntries(Object.entries(answers).map(([way, { status }]) => [way, status]));
}

describe('the last credential', () => {
  race('stays, although two ways in are removed at once', 6, async (n) => {
    const victim = await app.person('Vic');
    const { id: passkey } = await addPasskey(app, victim);
    const other =
      n % 2 === 0
        ? `/auth/identities/${await linkedIdentity(app, victim, company.provider)}`
        : `/auth/passkeys/${(await addPasskey(app, victim)).id}`;
    const answers = await Promise.all([
      app.as(victim).delete(`/auth/passkeys/${passkey}`),
      app.as(victim).delete(other),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.map((answer) => answer.status === 409 && reasonOf(answer))).toContain('last_credential');
    const { passkeys, identities } = await holdingsOf(app, victim);
    expect([...(passkeys as string[]), ...(identities as string[])]).toHaveLength(1);
  });

  it('is not one at a provider that is switched off, so the other one cannot be removed', async () => {
    const victim = await app.person('Vic');
    const { id } = await addPasskey(app, victim);
    await linkedIdentity(app, victim, company.provider);
    const at = `/identity-providers/${company.provider}`;
    await app.as(company.owner).patch(at).send({ is_enabled: false }).expect(200);
    const answer = await app.as(victim).delete(`/auth/passkeys/${id}`).expect(409);
    expect(reasonOf(answer)).toBe('last_credential');
  });
});

describe('an agent', () => {
  const agentOf = async (): Promise<Person> => {
    const sent = { name: 'Triage', organization_id: company.organization };
    const { body } = await app.as(company.owner).post('/agents').send(sent).expect(201);
    const made = await app
      .as(company.owner)
      .post(`/agents/${body.data.id}/tokens`)
      .send({ name: 'Main', scopes: ['*'] })
      .expect(201);
    const row = await app.database.one<{ email: string }>('SELECT email FROM users WHERE id = $1', [body.data.id]);
    return { ...body.data, email: row?.email ?? '', token: made.body.data.token };
  };

  it('gets no way in but the tokens of its manager', async () => {
    const agent = await agentOf();
    const before = await holdingsOf(app, agent);
    const flow = await beginAt(agent);
    for (const [path, body] of Object.entries({
      '/auth/identities': flow,
      '/auth/passkeys/options': {},
      '/auth/totp/setup': {},
      '/auth/tokens': { name: 'More', scopes: ['*'] },
      '/auth/step-up': { password: PASSWORD },
      '/auth/step-up/code': {},
    })) {
      const answer = await app.as(agent).post(path).send(body);
      expect([path, answer.status, reasonOf(answer)]).toEqual([path, 403, 'session_required']);
    }
    await app.as(null).post('/auth/forgot-password').send({ email: agent.email }).expect(200);
    expect(await app.mail(agent.email)).toEqual([]);
    expect(await holdingsOf(app, agent)).toEqual(before);
  });

  it('is nobody for providers and directories, not even if an administrator confirms the domain of its address', async () => {
    const agent = await agentOf();
    const before = await holdingsOf(app, agent);
    const domain = agent.email.slice(agent.email.lastIndexOf('@') + 1);
    const claims = company.claims(agent.email);
    const add = () => company.directory.post('/Users', company.directory.user({ userName: agent.email })).expect(403);
    await add();
    expect(reasonOf(await company.finish(claims))).toBe('identity_unknown');
    const at = `/identity-providers/${company.provider}`;
    await app
      .as(ada)
      .patch(at)
      .send({ domains: [domain] })
      .expect(200);
    await add();
    expect(reasonOf(await company.finish(claims))).toBe('link_required');
    expect(await holdingsOf(app, agent)).toEqual(before);
  });

  it('with an address of the company is not taken either', async () => {
    const robot = await app.person('Robot', { email: company.address(), userType: 'agent' });
    await company.recruit(robot);
    const before = await holdingsOf(app, robot);
    expect(reasonOf(await company.finish(company.claims(robot.email)))).toBe('link_required');
    await company.directory.post('/Users', company.directory.user({ userName: robot.email })).expect(403);
    expect(await holdingsOf(app, robot)).toEqual(before);
  });
});

describe('a suspended account', () => {
  it('is entered in no way, also in one that was begun before, nor by the directory', async () => {
    const { victim, device } = await armed();
    const begun = await beginAt(victim);
    await app.as(ada).patch(`/users/${victim.id}`).send({ status: 'suspended' }).expect(200);
    await company.directory.add({ userName: victim.email });
    const answers = await tryEverything(victim, device, begun);
    expect(answers).toMatchObject({ session: 401, password: 403, passkey: 403, begun: 403, provider: 403 });
    expect([401, 403]).toContain(answers.afterwards);
    expect([await statusOf(victim), (await holdingsOf(app, victim)).sessions]).toEqual(['suspended', []]);
  });
});

describe('an account that an administrator has closed', () => {
  it('is entered and revived in no way', async () => {
    const { victim, device } = await armed();
    const begun = await beginAt(victim);
    await app.as(ada).patch(`/users/${victim.id}`).send({ status: 'inactive' }).expect(200);
    await company.directory.post('/Users', company.directory.user({ userName: victim.email })).expect(409);
    const answers = await tryEverything(victim, device, begun);
    expect(answers).toMatchObject({
      session: 401,
      password: 401,
      passkey: 401,
      begun: 401,
      provider: 401,
      afterwards: 401,
    });
    expect([await statusOf(victim), (await holdingsOf(app, victim)).sessions]).toEqual(['inactive', []]);
  });
});

describe('an erased account', () => {
  it('is entered in no way, and who has its address next gets nothing of it', async () => {
    const { victim, device } = await armed();
    const garden = await app.endeavour(victim);
    const begun = await beginAt(victim);
    await app.as(ada).delete(`/users/${victim.id}?erase=now`).expect(200);
    await app.service.runJobs();
    const answers = await tryEverything(victim, device, begun);
    expect(answers).toMatchObject({ session: 401, password: 401, passkey: 401, reset: 400, afterwards: 401 });
    const next = await company.signIn(company.claims(victim.email));
    expect(next.id).not.toBe(victim.id);
    const { organizations, endeavours, passkeys, tokens } = await holdingsOf(app, next);
    expect({ organizations, endeavours, passkeys, tokens }).toEqual({
      organizations: [`${company.organization} member`],
      endeavours: [],
      passkeys: [],
      tokens: [],
    });
    await app.as(next).get(`/endeavours/${garden}`).expect(404);
  });

  it('does not come back with a sign-up that was begun before', async () => {
    const email = `pia.${randomBytes(4).toString('hex')}@example.test`;
    await register(app, { email });
    const [{ code }] = await app.mail(email);
    const { id } = await app.person('Pia', { email });
    await app.as(ada).delete(`/users/${id}?erase=now`).expect(200);
    await app.service.runJobs();
    const { status } = await app.as(null).post('/auth/verify').send({ email, code });
    const rows = await app.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    expect([status === 200, rows.some((row) => row.id === id)]).toEqual([rows.length > 0, false]);
  });
});

describe('an account that its owner has closed', () => {
  const close = (victim: Person) =>
    app.as(victim).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(200);

  it('is not linked by its address, nor opened by the directory', async () => {
    const victim = await company.member({ passwordHash });
    await close(victim);
    expect(reasonOf(await company.finish(company.claims(victim.email)))).toBe('link_required');
    await company.directory.post('/Users', company.directory.user({ userName: victim.email })).expect(409);
    expect(await statusOf(victim)).toBe('inactive');
  });

  it('is revived by no password, provider or mailed code without the second factor that it has', async () => {
    const victim = await company.member({ passwordHash });
    await company.signIn(company.claims(victim.email));
    await enableSecondFactor(app, victim);
    await close(victim);
    const waiting = [await byPassword(victim), await company.finish(company.claims(victim.email))];
    expect(waiting.map(({ body }) => body.data.status)).toEqual(['2fa_required', '2fa_required']);
    for (const { body } of waiting) {
      const guess = { pending_token: body.data.pending_token, code: '000000' };
      await app.as(null).post('/auth/totp/verify').send(guess).expect(401);
    }
    await app.as(null).post('/auth/forgot-password').send({ email: victim.email }).expect(200);
    const mailed = (await app.mail(victim.email)).find(({ code }) => code !== undefined);
    const reset = { email: victim.email, code: mailed?.code ?? 'abc-def-ghi', new_password: 'three garden gates' };
    await app.as(null).post('/auth/reset-password').send(reset);
    for (const password of [PASSWORD, 'three garden gates']) {
      const { body } = await byPassword(victim, password);
      expect(body.data?.token).toBeUndefined();
    }
    expect([await statusOf(victim), (await holdingsOf(app, victim)).sessions]).toEqual(['inactive', []]);
  });

  it('is not revived by the provider of a company whose directory has dismissed its owner', async () => {
    const victim = await company.member({ passwordHash });
    await company.signIn(company.claims(victim.email));
    await company.directory.add({ userName: victim.email });
    await close(await app.signInAgain(victim));
    const leave = { op: 'replace', path: 'active', value: false };
    await company.directory.patch(`/Users/${victim.id}`, leave).expect(200);
    expect(reasonOf(await company.finish(company.claims(victim.email)))).toBe('identity_unknown');
    expect(await statusOf(victim)).toBe('inactive');
  });
});
