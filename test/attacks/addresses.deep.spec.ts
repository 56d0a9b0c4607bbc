import { address, note, OPEN_LIMITS, PATIENCE_MS, size, tally } from '../support/attack.js';
import { TestApp } from '../support/test-app.js';
import { PASSWORD, register } from '../support/sign-up.js';

/** Known and unknown ones together, for each door. */
const ADDRESSES = size(40, 300);
const CODE = '000-000-000';
/** What may differ between any two answers: when they left. */
const PASSING = ['date', 'ratelimit'];

let app: TestApp;
beforeAll(async () => (app = await TestApp.open(OPEN_LIMITS)));
afterAll(() => app.close());

/** Addresses with an account of every sort, one behind the other. */
const SORTS: ((email: string) => Promise<unknown>)[] = [
  (email) => app.person('Active', { email }),
  (email) => app.person('Away', { email, status: 'inactive' }),
  (email) => app.person('Suspended', { email, status: 'suspended' }),
  (email) => app.admin().then(({ id }) => rename(id, email)),
  (email) => register(app, { email }),
];

/** Creates a code for every address that can have one. */
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

const DOORS: Record<string, (email: string) => object> = {
  login: (email) => ({ email, password: PASSWORD }),
  'forgot-password': (email) => ({ email }),
  'resend-verification': (email) => ({ email }),
  verify: (email) => ({ email, code: CODE }),
  'reset-password': (email) => ({ email, code: CODE, new_password: 'an entirely new one' }),
};

/** Everything that comes back: status, headers and body, byte for byte. Every request names the same id. */
async function everythingOf(door: string, body: object, index: number): Promise<string> {
  const answer = await app
    .as(null)
    .post(`/auth/${door}`)
    .set('X-Forwarded-For', address(index))
    .set('X-Request-Id', 'the-same-for-all')
    .send(body);
  const headers = Object.entries(answer.headers).filter(([name]) => !PASSING.includes(name));
  return [answer.status, ...headers.map((header) => header.join(': ')).sort(), '', answer.text].join('\n');
}

describe.each(Object.keys(DOORS))('%s', (door) => {
  it(
    'answers byte for byte the same for addresses that are known and that are not',
    async () => {
      const answers: string[] = [];
      for (let index = 0; index < ADDRESSES; index += 1) {
        const isKnown = index % 2 === 0;
        const email = `${isKnown ? 'known' : 'unknown'}.${door}.${index}@example.test`;
        if (isKnown) await known(email, index / 2);
        const typed = TYPED[index % TYPED.length](email);
        answers.push(await everythingOf(door, DOORS[door](typed), index));
      }
      const sorts = Object.values(tally(answers));
      note(`different answers of ${door} to ${ADDRESSES} addresses`, `${sorts.length}`, '1', sorts.length === 1);
      expect(tally(answers)).toEqual({ [answers[0]]: ADDRESSES });
    },
    PATIENCE_MS,
  );
});

describe('register', () => {
  it('answers the same for an address that waits for its code as for a fresh one', async () => {
    const answers: string[] = [];
    for (let index = 0; index < ADDRESSES; index += 1) {
      const email = `${index % 2 === 0 ? 'twice' : 'fresh'}.${index}@example.test`;
      if (index % 2 === 0) await register(app, { email });
      const body = { email, name: 'New User', password: PASSWORD };
      const answer = (await everythingOf('register', body, index)).replaceAll(email, '');
      answers.push(answer.replace(/content-length: \d+/, '').replace(/"expires_at":"[^"]+"/, ''));
    }
    expect(tally(answers)).toEqual({ [answers[0]]: ADDRESSES });
  });
});
