import { setTimeout as sleep } from 'node:timers/promises';
import { TestApp, type Person } from '../support/test-app.js';
import { PASSWORD, register, signUp } from '../support/sign-up.js';

const apps: TestApp[] = [];
/** Opens a service with the settings, as a second replica on the database of `beside` if that is given. */
async function open(environment: Record<string, string> = {}, beside?: TestApp): Promise<TestApp> {
  const app = await TestApp.open({ TRUSTED_PROXIES: '127.0.0.1,::1', ...environment }, beside);
  apps.push(app);
  return app;
}
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
});

const from = (app: TestApp, address: string, path: string, body: object) =>
  app.as(null).post(`/auth/${path}`).set('X-Forwarded-For', address).send(body);

const statuses = (responses: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** A login with an address that has no account. */
const guess = (index: number) => ({ email: `unknown${index}@example.test`, password: PASSWORD });

describe('limits of the public operations', () => {
  it('allows 10 failed logins a minute from one address, and returns Retry-After and the setting', async () => {
    const app = await open();
    const responses = await Promise.all(
      Array.from({ length: 15 }, (_, index) => from(app, '192.0.2.1', 'login', guess(index))),
    );
    expect(statuses(responses)).toEqual({ 401: 10, 429: 5 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.error).toMatchObject({
      code: 'rate_limited',
      message:
        'At most 10 failed sign-ins from one address are accepted per minute (LIMIT_LOGIN_PER_MINUTE); try again later.',
      details: { limit: 'login', allowed: 10, seconds: 60, setting: 'LIMIT_LOGIN_PER_MINUTE' },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.headers.ratelimit).toMatch(/^"login";r=0;t=\d+$/);
    expect(refused?.headers['ratelimit-policy']).toBe('"login";q=10;w=60');
    await from(app, '192.0.2.2', 'login', guess(0)).expect(401);
  });

  it('let a whole office sign in from one address, whose failures count but whose successes do not', async () => {
    const app = await open({ LIMIT_REGISTER_PER_HOUR: '1000' });
    const people: { email: string }[] = [];
    for (let index = 0; index < 15; index++) people.push(await signUp(app, `Colleague${index}`));
    const signIn = ({ email }: { email: string }) => from(app, '192.0.2.1', 'login', { email, password: PASSWORD });
    for (const person of people) await signIn(person).expect(200);
    for (let index = 0; index < 9; index++) await from(app, '192.0.2.1', 'login', guess(index)).expect(401);
    expect(statuses(await Promise.all(people.map((person) => signIn(person))))).toEqual({ 200: 15 });
  });

  it('reject the right password, too, once 10 logins from the address have failed', async () => {
    const app = await open();
    const { email } = await signUp(app, 'Ann');
    for (let index = 0; index < 10; index++) await from(app, '192.0.2.1', 'login', guess(index)).expect(401);
    await from(app, '192.0.2.1', 'login', { email, password: PASSWORD }).expect(429);
    await from(app, '192.0.2.2', 'login', { email, password: PASSWORD }).expect(200);
  });

  it('do not tell more than 10 concurrent guesses from one address whether they are right', async () => {
    const app = await open();
    const { email } = await signUp(app, 'Ann');
    const lockHolder = await app.openConnection();
    try {
      // All guesses pass the first check before the failure of any of them is counted.
      await lockHolder.query('BEGIN; LOCK TABLE rate_counters IN SHARE MODE');
      const wrong = Array.from({ length: 20 }, (_, index) => from(app, '192.0.2.1', 'login', guess(index)));
      const responses = Promise.all(wrong.map((request) => request.then(({ status }) => ({ status }))));
      await app.untilLockWaits(2);
      await lockHolder.query('ROLLBACK');
      expect(statuses(await responses)).toEqual({ 401: 10, 429: 10 });
      await from(app, '192.0.2.1', 'login', { email, password: PASSWORD }).expect(429);
    } finally {
      await lockHolder.end();
    }
  });

  it('allow 10 successful logins a minute of one account, from whichever addresses', async () => {
    const app = await open();
    const { email } = await signUp(app, 'Ann');
    const signIn = (index: number) => from(app, `192.0.2.${index}`, 'login', { email, password: PASSWORD });
    const responses = [];
    for (let index = 0; index < 12; index++) responses.push(await signIn(index));
    expect(statuses(responses)).toEqual({ 200: 10, 429: 2 });
    expect(responses[11].body.error.details).toMatchObject({ limit: 'account_logins', allowed: 10 });
    // Wrong passwords do not use it up, so nobody can lock somebody else out with them.
    await from(app, '192.0.2.200', 'login', { email, password: 'certainly not this one' }).expect(401);
  });

  it('reject logins that would wait too long, before they query the database', async () => {
    const app = await open();
    const lockHolder = await app.openConnection();
    try {
      await lockHolder.query('BEGIN; LOCK TABLE users');
      const answered: { status: number }[] = [];
      const logins = Array.from({ length: 40 }, (_, index) =>
        from(app, `192.0.2.${index}`, 'login', guess(index)).then((response) => answered.push(response)),
      );
      while (answered.length < 6) await sleep(10);
      expect(statuses(answered)).toEqual({ 503: 6 });
      await lockHolder.query('ROLLBACK');
      await Promise.all(logins);
      expect(statuses(answered)).toEqual({ 401: 34, 503: 6 });
    } finally {
      await lockHolder.end();
    }
  });

  it('prevent many logins from occupying the database connections of other clients', async () => {
    const app = await open();
    const lockHolder = await app.openConnection();
    try {
      await lockHolder.query('BEGIN; LOCK TABLE rate_counters');
      const logins = Array.from({ length: 20 }, (_, index) => from(app, `192.0.2.${index}`, 'login', guess(index)));
      const responses = Promise.all(logins.map((login) => login.then(({ status }) => ({ status }))));
      await app.untilLockWaits(2);
      // Gives the other logins time to take connections, if they could.
      await sleep(200);
      expect(await app.waiting()).toBe(2);
      await lockHolder.query('ROLLBACK');
      expect(statuses(await responses)).toEqual({ 401: 20 });
    } finally {
      await lockHolder.end();
    }
  });

  it('allows 5 registrations an hour from one address, not counting invalid requests', async () => {
    const app = await open();
    for (let tries = 0; tries < 4; tries++) await from(app, '192.0.2.1', 'register', {}).expect(400);
    const responses = await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        from(app, '192.0.2.1', 'register', { email: `r${index}@example.test`, name: 'R', password: PASSWORD }),
      ),
    );
    expect(statuses(responses)).toEqual({ 201: 5, 429: 2 });
  });

  it.each(['resend-verification', 'forgot-password'])(
    'sends 2 codes an hour per client address for %s, 6 in total, with identical responses',
    async (path) => {
      const app = await open();
      const email = 'eager@example.test';
      if (path === 'forgot-password') await app.person('Eager', { email });
      else await register(app, { email });
      const before = (await app.mail(email)).length;
      const bodies = [];
      for (let attempt = 0; attempt < 12; attempt++) {
        bodies.push((await from(app, `192.0.2.${Math.floor(attempt / 3)}`, path, { email }).expect(200)).body);
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      // For resend-verification, the registration sent one of the six.
      expect(await app.mail(email)).toHaveLength(6);
      expect(before).toBe(path === 'forgot-password' ? 0 : 1);
    },
  );

  it('allows 20 requests for codes an hour from one address', async () => {
    const app = await open();
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        from(app, '192.0.2.1', 'forgot-password', { email: `f${index}@example.test` }),
      ),
    );
    expect(statuses(responses)).toEqual({ 200: 20, 429: 4 });
  });
});

describe('the address of a client', () => {
  it('is the peer of the connection, despite forwarding headers, unless a proxy is trusted', async () => {
    const app = await open({ TRUSTED_PROXIES: '', LIMIT_LOGIN_PER_MINUTE: '2' });
    const responses = [];
    for (let n = 0; n < 4; n++) responses.push(await from(app, `203.0.113.${n}`, 'login', guess(n)));
    expect(statuses(responses)).toEqual({ 401: 2, 429: 2 });
  });

  it('is what the trusted proxies add, never what the client sends', async () => {
    const app = await open({ TRUSTED_PROXIES: '127.0.0.1,::1,10.0.0.0/8', LIMIT_LOGIN_PER_MINUTE: '2' });
    const responses = [];
    for (let n = 0; n < 4; n++) {
      responses.push(await from(app, `203.0.113.${n}, 10.9.9.9, 192.0.2.1, 10.0.0.${n}`, 'login', guess(n)));
    }
    expect(statuses(responses)).toEqual({ 401: 2, 429: 2 });
    await from(app, '192.0.2.1, 203.0.113.1', 'login', guess(9)).expect(401);
  });

  it('is not taken from other headers', async () => {
    const app = await open({ LIMIT_LOGIN_PER_MINUTE: '2' });
    const forgedHeaders = (n: number) => ({ Forwarded: `for=203.0.113.${n}`, 'X-Real-IP': `203.0.113.${n}` });
    const responses = [];
    for (let n = 0; n < 4; n++) responses.push(await from(app, '192.0.2.1', 'login', guess(n)).set(forgedHeaders(n)));
    expect(statuses(responses)).toEqual({ 401: 2, 429: 2 });
  });
});

describe('sessions', () => {
  it('survive a rotation of the signing key as long as the old key is configured', async () => {
    const before = await open({ JWT_SECRET: 'the-first-signing-key-0123456789-abcdef' });
    const next = 'the-second-signing-key-9876543210-fedcba';
    const old = await before.person('Old');
    const previous = 'the-first-signing-key-0123456789-abcdef';
    const during = await open({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: previous }, before);
    const young = await during.person('Young');
    await during.as(old).get('/auth/whoami').expect(200);
    await during.as(young).get('/auth/whoami').expect(200);

    // Passport keeps one strategy per process, that of the replica opened last.
    const after = await open({ JWT_SECRET: next }, before);
    await after.as(young).get('/auth/whoami').expect(200);
    await after.as(old).get('/auth/whoami').expect(401);
  });
});

describe('limits of authenticated operations', () => {
  it('counts reads and writes of each user separately', async () => {
    const app = await open({ LIMIT_READS_PER_MINUTE: '4', LIMIT_WRITES_PER_MINUTE: '2' });
    const [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
    const read = (person: Person) => app.as(person).get('/auth/whoami');
    const left = [];
    for (let reads = 0; reads < 4; reads++) left.push((await read(ann).expect(200)).headers.ratelimit);
    expect(left.map((header) => /r=(\d+)/.exec(header)?.[1])).toEqual(['3', '2', '1', '0']);
    const { body, headers } = await read(ann).expect(429);
    expect(body.error.code).toBe('rate_limited');
    expect(body.error.details).toEqual({
      limit: 'reads',
      allowed: 4,
      seconds: 60,
      setting: 'LIMIT_READS_PER_MINUTE',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const write = () => app.as(ann).patch('/auth/profile').send({});
    await write().expect(200);
    await write().expect(200);
    await write().expect(429);
    await read(ben).expect(200);
  });
});
