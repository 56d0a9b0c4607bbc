import { PASSWORD } from '../support/sign-up.js';
import { TestApp } from '../support/test-app.js';

let app: TestApp;
beforeAll(
  async () => (app = await TestApp.open({ TRUSTED_PROXIES: '127.0.0.1,::1', LIMIT_EXEMPT_ADDRESSES: '10.7.0.0/16' })),
);
afterAll(() => app.close());

const WRONG = 'certainly not this one';
const from = (address: string, path: string, body: object) =>
  app.as(null).post(`/auth/${path}`).set('X-Forwarded-For', address).send(body);
const login = (address: string, email: string, password = WRONG) => from(address, 'login', { email, password });

const many = async <T>(times: number, work: (index: number) => PromiseLike<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < times; index += 1) results.push(await work(index));
  return results;
};
const statuses = (responses: { status: number }[]): number[] => responses.map(({ status }) => status);

/** Extends the one-second wait after wrong passwords to an hour. */
const holdLonger = () =>
  app.database.query(
    `UPDATE rate_counters SET held_until = now() + interval '1 hour' WHERE key LIKE 'password:%' AND count >= 5`,
  );

/** Registers and verifies an account from the address, which is a known address from then on. */
async function owner(name: string, address: string): Promise<string> {
  const email = `${name}@example.test`;
  await from(address, 'register', { email, name, password: PASSWORD }).expect(201);
  const [{ code }] = await app.mail(email);
  await from(address, 'verify', { email, code }).expect(200);
  return email;
}

describe('client addresses', () => {
  it('in one IPv6 /64 count as one address for the login limit', async () => {
    const responses = await many(15, (index) => login(`2001:db8:1:1::${index + 1}`, `unknown${index}@example.test`));
    expect(statuses(responses)).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    await login('2001:db8:1:2::1', 'unknown@example.test').expect(401);
  });

  it('in one IPv6 /64 share the wait after wrong passwords for an account', async () => {
    const guess = (index: number) => login(`2001:db8:2:1::${index + 1}`, 'shared@example.test');
    expect(statuses(await many(5, guess))).toEqual(Array(5).fill(401));
    await holdLonger();
    expect((await guess(6)).status).toBe(429);
    await login('2001:db8:2:2::1', 'shared@example.test').expect(401);
  });

  it('in one IPv6 /64 share the attempts at a code', async () => {
    const email = 'coded@example.test';
    await from('192.0.2.1', 'register', { email, name: 'Coded', password: PASSWORD }).expect(201);
    const [{ code }] = await app.mail(email);
    await many(5, (index) => from(`2001:db8:3:1::${index + 1}`, 'verify', { email, code: '000-000-000' }).expect(400));
    await from('2001:db8:3:1::9', 'verify', { email, code }).expect(400);
    await from('2001:db8:3:2::1', 'verify', { email, code }).expect(200);
  });

  it('that are exempt from limits are not counted, but the accounts they log in to are', async () => {
    const responses = await many(30, (index) => login('10.7.0.1', `customer${index}@example.test`));
    expect(statuses(responses)).toEqual(Array(30).fill(401));
    expect(statuses(await many(4, () => login('10.7.0.1', 'customer0@example.test')))).toEqual(Array(4).fill(401));
    await holdLonger();
    await login('10.7.0.1', 'customer0@example.test').expect(429);
    const registrations = await many(8, (index) =>
      from('10.7.0.2', 'register', { email: `new${index}@example.test`, name: 'New', password: PASSWORD }),
    );
    expect(statuses(registrations)).toEqual(Array(8).fill(201));
  });
});

describe('wrong passwords from many addresses', () => {
  it('block logins from unknown addresses after 50 in an hour, but not from a known address', async () => {
    const email = await owner('olivia', '198.51.100.1');
    expect(statuses(await many(50, (index) => login(`203.0.113.${index}`, email)))).toEqual(Array(50).fill(401));
    const refused = await login('203.0.113.200', email).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    await login('203.0.113.201', email, PASSWORD).expect(429);
    await login('198.51.100.1', email, PASSWORD).expect(200);
  });

  it('block logins to an account that does not exist in the same way', async () => {
    const email = 'no-account@example.test';
    await many(50, (index) => login(`203.0.113.${index}`, email).expect(401));
    await login('203.0.113.200', email).expect(429);
  });

  it('are also counted when a signed-in user changes the password', async () => {
    const ann = await app.person('Ann');
    await app.database.query(`DELETE FROM known_addresses WHERE user_id = $1`, [ann.id]);
    const change = (address: string) =>
      app
        .as(ann)
        .post('/auth/change-password')
        .set('X-Forwarded-For', address)
        .send({ current_password: WRONG, new_password: 'an entirely new one' });
    await many(50, (index) => change(`203.0.113.${index}`).expect(400));
    await change('203.0.113.200').expect(429);
  });
});

describe('mails to one address', () => {
  it('are limited to 6 for 20 sign-ups by strangers, whose responses are identical', async () => {
    const email = 'flooded@example.test';
    const responses = await many(20, (index) =>
      from(`203.0.113.${index}`, 'register', { email, name: `Stranger ${index}`, password: PASSWORD }),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.data.message}`))).toEqual(
      new Set([`201 ${responses[0].body.data.message}`]),
    );
    expect(await app.mail(email)).toHaveLength(6);
  });

  it('are limited to two of each kind when one client repeats its requests', async () => {
    const email = 'asked@example.test';
    const register = () => from('198.51.100.9', 'register', { email, name: 'Asked', password: PASSWORD });
    expect(statuses(await many(4, register))).toEqual(Array(4).fill(201));
    expect(await app.mail(email)).toHaveLength(2);
    await many(3, () => from('198.51.100.9', 'forgot-password', { email }).expect(200));
    await many(3, () => from('198.51.100.9', 'resend-verification', { email }).expect(200));
    expect(await app.mail(email)).toHaveLength(2);
  });

  it('still include a reset that the owner requests from a known address after requests by strangers', async () => {
    const email = await owner('victor', '198.51.100.2');
    await many(12, (index) => from(`203.0.113.${index}`, 'forgot-password', { email }).expect(200));
    const before = (await app.mail(email)).length;
    await from('198.51.100.2', 'forgot-password', { email }).expect(200);
    const mails = await app.mail(email);
    expect(mails).toHaveLength(before + 1);
    const reset = { email, code: mails[0].code, new_password: 'an entirely new one' };
    await from('198.51.100.2', 'reset-password', reset).expect(200);
  });

  it('requested by strangers do not invalidate the code that the owner requested', async () => {
    const email = await owner('wanda', '198.51.100.3');
    await from('198.51.100.3', 'forgot-password', { email }).expect(200);
    const [{ code }] = await app.mail(email);
    await many(5, (index) => from(`203.0.113.${index}`, 'forgot-password', { email }).expect(200));
    await app.mail(email);
    const live = await app.database.query(
      `SELECT 1 FROM codes WHERE scope = $1 AND purpose = 'reset' AND ended_at IS NULL`,
      [email],
    );
    expect(live).toHaveLength(3);
    await from('198.51.100.3', 'reset-password', { email, code, new_password: 'an entirely new one' }).expect(200);
  });

  it('contain the code of the sign-up that is resent, even if a stranger signs up later', async () => {
    const email = 'yours@example.test';
    await from('198.51.100.4', 'register', { email, name: 'Yours', password: PASSWORD }).expect(201);
    await from('203.0.113.4', 'register', { email, name: 'Stranger', password: WRONG }).expect(201);
    await from('198.51.100.4', 'resend-verification', { email }).expect(200);
    const [{ code, text }] = await app.mail(email);
    expect(text).toContain('"Yours"');
    const { body } = await from('198.51.100.4', 'verify', { email, code }).expect(200);
    expect(body.data.name).toBe('Yours');
  });
});

describe('names in mails', () => {
  it('are shortened to one line of 60 characters in which nothing becomes a link', async () => {
    const email = 'named@example.test';
    const name = `PAY NOW https://evil.example/pay ${'x'.repeat(300)}`;
    await from('198.51.100.5', 'register', { email, name, password: PASSWORD }).expect(201);
    const [{ text, html }] = await app.mail(email);
    expect(text).toContain('PAY NOW https evil. example/pay xxx');
    for (const part of [text, html]) expect(part).not.toMatch(/evil\.example|https:\/\/evil|x{60}/);
  });

  it('do not affect the language of the mail, which is the one that the browser requested', async () => {
    const email = 'sprache@example.test';
    const body = { email, name: 'Sabine', password: PASSWORD };
    await from('198.51.100.6', 'register', body).set('Accept-Language', 'de-CH, en;q=0.5').expect(201);
    const [{ subject }] = await app.mail(email);
    expect(subject).toBe('Bitte bestätige deine E-Mail-Adresse');
  });
});

describe('registrations with an invitation', () => {
  it('count by the invitation, so that a whole office can register from its address', async () => {
    const ann = await app.person('Ann');
    const organization_id = await app.organization(ann);
    const invited = { organization_id, role: 'member', max_uses: 2 };
    const { body } = await app.as(ann).post('/invitations').send(invited).expect(201);
    const register = (index: number, more: object = {}) =>
      from('192.0.2.77', 'register', {
        email: `office${index}@example.test`,
        name: 'New',
        password: PASSWORD,
        ...more,
      });
    const withToken = { invitation_token: body.data.token };
    const responses = await many(11, (index) => register(index, withToken));
    expect(statuses(responses)).toEqual([...Array(10).fill(201), 429]);
    expect(statuses(await many(6, (index) => register(20 + index)))).toEqual([...Array(5).fill(201), 429]);
    // A token that cannot be used counts by the address.
    expect((await register(30, { invitation_token: 'unknown' })).status).toBe(429);
  });
});
