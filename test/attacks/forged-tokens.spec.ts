import { recordFigure } from '../support/attack.js';
import { TestApp, type Person } from '../support/test-app.js';
import { read, sign, withoutTheKey, withTheKey } from './forgeries.js';

const JWT_SECRET = 'a-signing-key-that-a-test-knows-0123456789';

let app: TestApp;
let ann: Person;
let ada: Person;
beforeAll(async () => {
  app = await TestApp.open({ JWT_SECRET });
  [ann, ada] = [await app.person('Ann'), await app.admin()];
});
afterAll(() => app.close());

/** The responses of a protected and of a public endpoint to a request with that Authorization header. */
async function responsesTo(authorization: string): Promise<string> {
  const bytes = Buffer.from(authorization).toString('latin1');
  const closed = await app.as(null).get('/auth/whoami').set('Authorization', bytes);
  const open = await app.as(null).get('/health/ready').set('Authorization', bytes);
  const { code } = closed.body.error ?? {};
  const details = open.body.data?.details ? 'with details' : 'without details';
  return `${closed.status} ${code} ${closed.headers['www-authenticate']}, ${open.status} ${details}`;
}

const METADATA = 'http://localhost:3000/.well-known/oauth-protected-resource/api/v1';
const REFUSED = `401 unauthorized Bearer realm="worksmith", error="invalid_token", resource_metadata="${METADATA}", 200 without details`;

/** Sends a request with each token; returns the responses to those that were not rejected. */
async function acceptedOf(tokens: Record<string, string>): Promise<Record<string, string>> {
  const through: Record<string, string> = {};
  for (const [name, token] of Object.entries(tokens)) {
    const response = await responsesTo(`Bearer ${token}`);
    if (response !== REFUSED) through[name] = response;
  }
  const n = Object.keys(tokens).length;
  recordFigure(
    `forged tokens accepted, of ${n}`,
    `${Object.keys(through).length}`,
    '0',
    Object.keys(through).length === 0,
  );
  return through;
}

describe('a forged token', () => {
  it('would be taken if it were not forged: the proof of the tests below', async () => {
    const { header, claims } = read(ada.token);
    expect(await responsesTo(`Bearer ${sign(header, claims, JWT_SECRET)}`)).toBe(
      '200 undefined undefined, 200 with details',
    );
  });

  it('is rejected, however it is made without the key', async () => {
    const forged = withoutTheKey(ada.token, ann.token);
    expect(Object.keys(forged).length).toBeGreaterThanOrEqual(60);
    expect(await acceptedOf(forged)).toEqual({});
  });

  it('is refused although its signature is right, where its claims are not those of a living session', async () => {
    expect(await acceptedOf(withTheKey(ada.token, ann.token, JWT_SECRET))).toEqual({});
  });
});

describe('a valid token', () => {
  it.each([
    ['without a scheme', (token: string) => token],
    ['as another scheme', (token: string) => `Basic ${token}`],
    ['as a name and a password', (token: string) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`],
    ['as one word with the scheme', (token: string) => `Bearer${token}`],
    ['behind a colon', (token: string) => `Bearer: ${token}`],
    ['behind a tab', (token: string) => `Bearer\t${token}`],
    ['twice', (token: string) => `Bearer ${token} ${token}`],
    ['behind a bad one', (token: string) => `Bearer a.b.c, Bearer ${token}`],
    ['with a space in it', (token: string) => `Bearer ${token.replace('.', '. ')}`],
  ])('is not accepted %s', async (_, header) => {
    expect(await responsesTo(header(ada.token))).toBe(REFUSED);
  });

  it.each([
    ['in the query', () => app.as(null).get(`/auth/whoami?access_token=${ada.token}`)],
    ['in a cookie', () => app.as(null).get('/auth/whoami').set('Cookie', `token=${ada.token}; jwt=${ada.token}`)],
    ['in another header', () => app.as(null).get('/auth/whoami').set('X-Auth-Token', ada.token)],
    [
      'in the header of a proxy',
      () => app.as(null).get('/auth/whoami').set('Proxy-Authorization', `Bearer ${ada.token}`),
    ],
    ['in a body', () => app.as(null).post('/auth/logout').send({ access_token: ada.token })],
  ])('is not accepted %s', async (_, ask) => {
    const { status } = await ask();
    expect(status).toBe(401);
  });
});
