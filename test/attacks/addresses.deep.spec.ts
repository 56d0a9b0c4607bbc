import { address, recordFigure, OPEN_LIMITS, PATIENCE_MS, size, tally } from '../support/attack.js';
import { TestApp } from '../support/test-app.js';
import { PASSWORD, register } from '../support/sign-up.js';

/** The number of addresses per endpoint, half of them known. */
const ADDRESSES = size(40, 300);
const CODE = '000-000-000';
/** Headers that may differ between any two responses because they depend on the time. */
const PASSING = ['date', 'ratelimit'];

let app: TestApp;
beforeAll(async () => (app = await TestApp.open(OPEN_LIMITS)));
afterAll(() => app.close());

/** Each creates an account of one kind; they are used in turn. */
const SORTS: ((email: string) => Promise<unknown>)[] = [
  (email) => app.person('Active', { email }),
  (email) => app.person('Away', { email, status: 'inactive' }),
  (email) => app.person('Suspended', { email, status: 'suspended' }),
  (email) => app.admin().then(({ id }) => rename(id, email)),
  (email) => register(app, { email }),
];

/** Creates an account for the address, and a code if the account can have one. */
async function known(email: string, sort: number): Promise<void> {
  await SORTS[sort % SORTS.length](email);
  await app.as(null).post('/auth/forgot-password').send({ email }).expect(200);
  await app.mail(email);
}

async function rename(id: string, email: string): Promise<void> {
  await app.database.query('UPDATE users SET email = $2 WHERE id = $1', [id, email]);
}

/** The same address, as people type it. */
const TYPED: ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => ` ${email} `,
  (email) => email.replace('example', 'EXAMPLE'),
];

const ENDPOINTS: Record<string, (email: string) => object> = {
  login: (email) => ({ email, password: PASSWORD }),
  'forgot-password': (email) => ({ email }),
  'resend-verification': (email) => ({ email }),
  verify: (email) => ({ email, code: CODE }),
  'reset-password': (email) => ({ email, code: CODE, new_password: 'an entirely new one' }),
};

/** The complete response: status, headers and body. All requests send the same request id. */
async function everythingOf(endpoint: string, body: object, index: number): Promise<string> {
  const response = await app
    .as(null)
    .post(`/auth/${endpoint}`)
    .set('X-Forwarded-For', address(index))
    .set('X-Request-Id', 'the-same-for-all')
    .send(body);
  const headers = Object.entries(response.headers).filter(([name]) => !PASSING.includes(name));
  return [response.status, ...headers.map((header) => header.join(': ')).sort(), '', response.text].join('\n');
}

describe.each(Object.keys(ENDPOINTS))('%s', (endpoint) => {
  it(
    'returns identical bytes for known and unknown addresses',
    async () => {
      const responses: string[] = [];
      for (let index = 0; index < ADDRESSES; index += 1) {
        const isKnown = index % 2 === 0;
        const email = `${isKnown ? 'known' : 'unknown'}.${endpoint}.${index}@example.test`;
        if (isKnown) await known(email, index / 2);
        const typed = TYPED[index % TYPED.length](email);
        responses.push(await everythingOf(endpoint, ENDPOINTS[endpoint](typed), index));
      }
      const sorts = Object.values(tally(responses));
      recordFigure(
        `different responses of ${endpoint} to ${ADDRESSES} addresses`,
        `${sorts.length}`,
        '1',
        sorts.length === 1,
      );
      expect(tally(responses)).toEqual({ [responses[0]]: ADDRESSES });
    },
    PATIENCE_MS,
  );
});

describe('register', () => {
  it('returns the same response for an unverified address as for a new one', async () => {
    const responses: string[] = [];
    for (let index = 0; index < ADDRESSES; index += 1) {
      const email = `${index % 2 === 0 ? 'twice' : 'fresh'}.${index}@example.test`;
      if (index % 2 === 0) await register(app, { email });
      const body = { email, name: 'New User', password: PASSWORD };
      const response = (await everythingOf('register', body, index)).replaceAll(email, '');
      responses.push(response.replace(/content-length: \d+/, '').replace(/"expires_at":"[^"]+"/, ''));
    }
    expect(tally(responses)).toEqual({ [responses[0]]: ADDRESSES });
  });
});
