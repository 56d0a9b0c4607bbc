import { address, closeReplicas, recordFigure, openReplicas, PATIENCE_MS, size, times } from '../support/attack.js';
import type { TestApp, Person } from '../support/test-app.js';
import { register, signUp } from '../support/sign-up.js';

const PER_ADDRESS = 5;
const IN_ALL = 50;
const AT_ONCE = 100;
/** The status is the same whether a guess was compared or not; 503 if too many requests wait for each other. */
const REFUSALS = [400, 503];
/** The number of guesses per client address, so that each address also reaches its own limit. */
const PER_CLIENT = 10;

let apps: TestApp[];
let home: TestApp;
beforeAll(async () => {
  apps = await openReplicas();
  [home] = apps;
});
afterAll(() => closeReplicas(apps));

/** A different guess for each number. */
const guess = (number: number): string =>
  number
    .toString(36)
    .padStart(9, '0')
    .replace(/^(...)(...)(...)$/, '$1-$2-$3');

interface Target {
  /** The scope that guesses are counted for. */
  scope: string;
  code: string | undefined;
  /** Sends a code to a replica from a client address. */
  ask(code: string | undefined, replica: number, from: string): PromiseLike<{ status: number; text: string }>;
}

const at = (replica: number, person: Person | null, door: string, from: string, body: object) =>
  apps[replica % apps.length].as(person).post(`/auth/${door}`).set('X-Forwarded-For', from).send(body);

const codeFor = async (email: string): Promise<string | undefined> => (await home.mail(email))[0].code;

const targets: Record<string, () => Promise<Target>> = {
  'the code of a sign-up': async () => {
    const email = `guessed.${Math.random().toString(36).slice(2)}@example.test`;
    await register(home, { email });
    const code = await codeFor(email);
    return {
      scope: email,
      code,
      ask: (tried, replica, from) => at(replica, null, 'verify', from, { email, code: tried }),
    };
  },
  'the codes of two sign-ups for one address': async () => {
    const email = `shared.${Math.random().toString(36).slice(2)}@example.test`;
    await register(home, { email, name: 'First' });
    await register(home, { email, name: 'Second' });
    return {
      scope: email,
      code: await codeFor(email),
      ask: (tried, replica, from) => at(replica, null, 'verify', from, { email, code: tried }),
    };
  },
  'the code of a reset': async () => {
    const { email } = await signUp(home, 'Reset');
    await home.as(null).post('/auth/forgot-password').send({ email }).expect(200);
    const new_password = 'an entirely new one';
    return {
      scope: email,
      code: await codeFor(email),
      ask: (tried, replica, from) => at(replica, null, 'reset-password', from, { email, code: tried, new_password }),
    };
  },
  'the code of a new address': async () => {
    const { user_id: scope, token } = await signUp(home, 'Mover');
    const mover = { token } as Person;
    const new_email = `moved.${Math.random().toString(36).slice(2)}@example.test`;
    const wish = { new_email, current_password: 'two wooden ladders' };
    await home.as(mover).post('/auth/email/change').send(wish).expect(200);
    return {
      scope,
      code: await codeFor(new_email),
      ask: (tried, replica, from) => at(replica, mover, 'email/verify', from, { code: tried }),
    };
  },
};

/** The number of guesses that were compared with the pending code of the scope. */
async function judged(scope: string): Promise<number> {
  const row = await home.database.one<{ attempts: number }>(
    'SELECT max(attempts) AS attempts FROM codes WHERE scope = $1 AND ended_at IS NULL',
    [scope],
  );
  return row?.attempts ?? 0;
}

describe.each(Object.entries(targets))('guesses at %s, over four replicas', (name, make) => {
  const n = size(400, name === 'the code of a sign-up' ? 10_000 : 2_000);

  it(
    'are judged 50 times in all, from any address, and then even the right code is rejected',
    async () => {
      const target = await make();
      const responses = await times(n, AT_ONCE, (index) =>
        target.ask(guess(index), index, address(Math.floor(index / PER_CLIENT))),
      );
      expect(responses.filter(({ status }) => !REFUSALS.includes(status))).toEqual([]);
      const count = await judged(target.scope);
      const late = await target.ask(target.code, 0, address(n));
      recordFigure(
        `guesses at ${name} that were judged, of ${n}, ${AT_ONCE} at a time`,
        String(count),
        `${IN_ALL}`,
        count === IN_ALL,
      );
      expect([count, late.status]).toEqual([IN_ALL, 400]);
    },
    PATIENCE_MS,
  );

  it(
    'are judged 5 times from one address, and do not lock out the owner at another address',
    async () => {
      const target = await make();
      const responses = await times(n / 4, AT_ONCE, (index) => target.ask(guess(index), index, address(1)));
      expect(responses.filter(({ status }) => !REFUSALS.includes(status))).toEqual([]);
      expect(await judged(target.scope)).toBe(PER_ADDRESS);
      expect((await target.ask(target.code, 1, address(1))).status).toBe(400);
      expect((await target.ask(target.code, 2, address(2))).status).toBe(200);
    },
    PATIENCE_MS,
  );
});
