import { House, type Person } from '../support/house.js';
import { PASSWORD, register, signUp } from '../support/sign-up.js';

/** Behind a proxy that is believed, so that a request can come from any address. */
const OPEN_LIMITS = {
  LIMIT_REGISTER_PER_HOUR: '10000',
  LIMIT_LOGIN_PER_MINUTE: '10000',
  LIMIT_CODES_PER_HOUR: '10000',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};

let house: House;
beforeAll(async () => (house = await House.open(OPEN_LIMITS)));
afterAll(() => house.close());

const post = (door: string, body: object, address = '192.0.2.1') =>
  house.as(null).post(`/auth/${door}`).set('X-Forwarded-For', address).send(body);

const WRONG = '000-000-000';
const times = <T>(n: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)));

/** Somebody whose code is in the mail. */
async function waiting(name: string): Promise<{ email: string; code: string | undefined }> {
  const email = `${name}@example.test`;
  await register(house, { email, name });
  const [{ code }] = await house.mail(email);
  return { email, code };
}

const evaluated = async (scope: string): Promise<number> => {
  const [row] = await house.database.query<{ attempts: number }>(
    'SELECT attempts FROM codes WHERE scope = $1 AND ended_at IS NULL',
    [scope],
  );
  return row.attempts;
};

describe('guessing codes', () => {
  it('judges 5 guesses of 60 made at once from one address, and then not even the right code', async () => {
    const { email, code } = await waiting('guessed');
    const answers = await times(60, () => post('verify', { email, code: WRONG }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect(await evaluated(email)).toBe(5);
    await post('verify', { email, code }).expect(400);
    await post('verify', { email, code }, '192.0.2.2').expect(200);
  });

  it('judges 50 guesses in all, from wherever they come', async () => {
    const { email, code } = await waiting('hunted');
    await times(70, (index) => post('verify', { email, code: WRONG }, `198.51.100.${index}`));
    expect(await evaluated(email)).toBe(50);
    await post('verify', { email, code }, '192.0.2.9').expect(400);
  });

  it('counts guesses at a reset in the same way', async () => {
    const { email } = await signUp(house, 'Reset');
    await post('forgot-password', { email }).expect(200);
    const [{ code }] = await house.mail(email);
    const guess = { email, code: WRONG, new_password: 'an entirely new one' };
    await times(30, () => post('reset-password', guess));
    expect(await evaluated(email)).toBe(5);
    await post('reset-password', { ...guess, code }).expect(400);
  });

  it('makes one user of 50 uses of one code at once', async () => {
    const { email, code } = await waiting('raced');
    const answers = await times(50, (index) => post('verify', { email, code }, `203.0.113.${index % 25}`));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await house.database.query('SELECT 1 FROM users WHERE email = $1', [email])).toHaveLength(1);
  });

  it('makes one user of two sign-ups whose codes come at once', async () => {
    const email = 'twins@example.test';
    await register(house, { email, name: 'First' });
    await register(house, { email, name: 'Second' });
    const codes = (await house.mail(email)).map(({ code }) => code);
    const answers = await Promise.all(codes.map((code) => post('verify', { email, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('changes the password once with 20 uses of one code at once', async () => {
    const { email } = await signUp(house, 'Once');
    await post('forgot-password', { email }).expect(200);
    const [{ code }] = await house.mail(email);
    const answers = await times(20, (index) =>
      post('reset-password', { email, code, new_password: `an entirely new one ${index}` }, `203.0.113.${index}`),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('guessing passwords', () => {
  it('lets 5 through at once, then makes that address wait, and nobody else', async () => {
    const { email } = await signUp(house, 'Gus');
    const answers = await times(25, () => post('login', { email, password: 'certainly not this one' }));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error.code).toBe('rate_limited');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    await post('login', { email, password: PASSWORD }, '192.0.2.77').expect(200);
  });

  it('treats an unknown account in the same way', async () => {
    const guess = { email: 'nobody.at.all@example.test', password: 'certainly not this one' };
    const answers = await times(25, () => post('login', guess));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('waits longer after every further mistake, and forgets all after the right one', async () => {
    const { email } = await signUp(house, 'Hal');
    const wrong = { email, password: 'certainly not this one' };
    const release = () =>
      house.database.query("UPDATE rate_counters SET held_until = now() WHERE key LIKE 'password:%'");
    for (let guess = 1; guess <= 5; guess++) await post('login', wrong).expect(401);
    const waits = [];
    for (let guess = 6; guess <= 9; guess++) {
      waits.push(Number((await post('login', wrong).expect(429)).headers['retry-after']));
      await release();
      await post('login', wrong).expect(401);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    await release();
    await post('login', { email, password: PASSWORD }).expect(200);
    for (let guess = 1; guess <= 5; guess++) await post('login', wrong).expect(401);
  });

  it('holds up guesses at the current password too', async () => {
    const { token } = await signUp(house, 'Ivy');
    const body = { current_password: 'certainly not this one', new_password: 'an entirely new one' };
    const guess = () =>
      house
        .as({ token } as Person)
        .post('/auth/change-password')
        .send(body);
    const answers = await times(15, guess);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('forged tokens', () => {
  it('are refused, whatever they are made of', async () => {
    const ann = await house.person('Ann');
    const [head, claims, signature] = ann.token.split('.');
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const none = encode({ alg: 'none', typ: 'JWT' });
    const forged = [
      `${none}.${claims}.`,
      `${none}.${claims}.${signature}`,
      `${head}.${encode({ ...said, sub: `usr_${'0'.repeat(32)}` })}.${signature}`,
      `${head}.${encode({ ...said, exp: said.exp + 1 })}.${signature}`,
      `${head}.${claims}.${signature.slice(0, -4)}AAAA`,
      `${head}.${claims}`,
      'a.b.c',
      '..',
    ];
    for (const token of forged) {
      const { body, headers } = await house
        .as({ ...ann, token })
        .get('/auth/whoami')
        .expect(401);
      expect(body.error.code).toBe('unauthorized');
      expect(headers['www-authenticate']).toBe('Bearer');
    }
    await house.as(null).get('/auth/whoami').set('Authorization', `bearer ${ann.token}`).expect(200);
    await house.as(null).get('/auth/whoami').set('Authorization', ann.token).expect(401);
    await house.as(null).get(`/auth/whoami?access_token=${ann.token}`).expect(401);
  });
});
