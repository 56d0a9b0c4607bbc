import { address, closeReplicas, recordFigure, openReplicas, size, tally, times } from '../support/attack.js';
import type { TestApp } from '../support/test-app.js';
import { PASSWORD, register } from '../support/sign-up.js';

const TRIES = size(80, 2_000);
const AT_ONCE = 80;
const PATIENCE_MS = 600_000;
/** The status of requests that give up because too many wait for each other. */
const BUSY = 503;
const TRUSTED_PROXIES = '127.0.0.1,::1';

let apps: TestApp[];
beforeAll(async () => (apps = await openReplicas({ TRUSTED_PROXIES, LIMIT_WRITES_PER_MINUTE: '1000000' })));
afterAll(() => closeReplicas(apps));

const post = (index: number, path: string, body: object, from: string) =>
  apps[index % apps.length].as(null).post(`/auth/${path}`).set('X-Forwarded-For', from).send(body);

const wish = (index: number): object => ({ email: `user${index}@example.test` });

describe('the limits of one client address at the public operations of four replicas', () => {
  it.each([
    ['login', 1, 10, 401, (index: number) => ({ ...wish(index), password: PASSWORD })],
    ['register', 1, 5, 201, (index: number) => ({ ...wish(index), password: PASSWORD, name: 'New User' })],
    ['forgot-password', 1, 20, 200, wish],
    ['resend-verification', 2, 20, 200, wish],
  ])(
    'are counted for all replicas together: %s',
    async (path, from, most, passing, body) => {
      const responses = await times(TRIES, AT_ONCE, (index) => post(index, path, body(index), address(from)));
      const counts = tally(responses.map(({ status }) => status));
      recordFigure(
        `${path} let through, of ${TRIES} over 4 replicas`,
        `${counts[passing]}`,
        `${most}`,
        counts[passing] === most,
      );
      const { [BUSY]: busy = 0, ...decided } = counts;
      expect(decided).toEqual({ [passing]: most, 429: TRIES - most - busy });
      const elsewhere = await post(0, path, body(TRIES), address(3));
      expect(elsewhere.status).toBe(passing);
    },
    PATIENCE_MS,
  );
});

describe('mails to one address, requested at four replicas from many client addresses', () => {
  it.each(['forgot-password', 'resend-verification'])(
    'are limited to six an hour, including registrations: %s',
    async (path) => {
      const [app] = apps;
      const email = `eager.${path}@example.test`;
      if (path === 'forgot-password') await app.person('Eager', { email });
      else await register(app, { email });
      const responses = await times(TRIES, AT_ONCE, (index) => post(index, path, { email }, address(10 + index)));
      expect(tally(responses.map(({ status, text }) => `${status} ${text}`))).toEqual({
        [`200 ${responses[0].text}`]: TRIES,
      });
      const sent = (await app.mail(email)).length;
      recordFigure(`mails sent for ${TRIES} x ${path} over 4 replicas`, `${sent}`, '6', sent === 6);
      expect(sent).toBe(6);
    },
    PATIENCE_MS,
  );
});
