import {
  address,
  closeReplicas,
  recordFigure,
  openReplicas,
  PATIENCE_MS,
  size,
  tally,
  times,
} from '../support/attack.js';
import type { TestApp, Person } from '../support/test-app.js';
import { PASSWORD, register, signUp } from '../support/sign-up.js';

const USES = 50;
const ROUNDS = size(2, 50);
/** The status of requests that give up because too many wait for each other. */
const BUSY = 503;

let apps: TestApp[];
let home: TestApp;
beforeAll(async () => {
  apps = await openReplicas();
  [home] = apps;
});
afterAll(() => closeReplicas(apps));

interface OnlyOnce {
  use(index: number): PromiseLike<{ status: number }>;
  /** How often it took effect, according to the database. */
  effects(): Promise<number>;
}

const post = (index: number, path: string, body: object, person: Person | null = null) =>
  apps[index % apps.length].as(person).post(path).set('X-Forwarded-For', address(index)).send(body);

const freshEmail = (name: string): string => `${name}.${Math.random().toString(36).slice(2)}@example.test`;
const codeFor = async (email: string): Promise<string | undefined> => (await home.mail(email))[0].code;
const rows = async (sql: string, ...parameters: unknown[]): Promise<number> =>
  (await home.database.query(sql, parameters)).length;

const things: Record<string, () => Promise<OnlyOnce>> = {
  'the code of a sign-up': async () => {
    const email = freshEmail('raced');
    await register(home, { email });
    const code = await codeFor(email);
    return {
      use: (index) => post(index, '/auth/verify', { email, code }),
      effects: () => rows('SELECT 1 FROM users WHERE email = $1', email),
    };
  },
  'the codes of two sign-ups for one address': async () => {
    const email = freshEmail('twins');
    await register(home, { email, name: 'First' });
    await register(home, { email, name: 'Second' });
    const codes = (await home.mail(email)).map(({ code }) => code);
    return {
      use: (index) => post(index, '/auth/verify', { email, code: codes[index % 2] }),
      effects: () => rows('SELECT 1 FROM users WHERE email = $1', email),
    };
  },
  'the code of a reset': async () => {
    const { email } = await signUp(home, 'Reset');
    await home.as(null).post('/auth/forgot-password').send({ email }).expect(200);
    const code = await codeFor(email);
    const news = `SELECT 1 FROM outbox WHERE recipient = $1 AND kind = 'password_changed'`;
    return {
      use: (index) =>
        post(index, '/auth/reset-password', { email, code, new_password: `an entirely new one ${index}` }),
      effects: () => rows(news, email),
    };
  },
  'the code of a new address': async () => {
    const { token } = await signUp(home, 'Mover');
    const mover = { token } as Person;
    const new_email = freshEmail('moved');
    const wish = { new_email, current_password: PASSWORD };
    await home.as(mover).post('/auth/email/change').send(wish).expect(200);
    const code = await codeFor(new_email);
    const news = `SELECT 1 FROM outbox WHERE kind = 'email_changed' AND data ->> 'new_email' = $1`;
    return {
      use: (index) => post(index, '/auth/email/verify', { code }, mover),
      effects: () => rows(news, new_email),
    };
  },
  'an invitation': async () => {
    const organization = await home.organization(await home.person('Host'));
    const token = await invitationTo(organization);
    const guests = await times(USES, 10, (index) => home.person(`Guest ${index}`));
    return {
      use: (index) => post(index, '/invitations/accept', { token }, guests[index]),
      effects: async () => (await membersOf(organization)) - 1,
    };
  },
};

async function invitationTo(organization: string): Promise<string> {
  const { body } = await home
    .as(await home.admin())
    .post('/invitations')
    .send({ organization_id: organization })
    .expect(201);
  return body.data.token;
}

const membersOf = (organization: string): Promise<number> =>
  rows('SELECT 1 FROM organization_resources WHERE organization_id = $1', organization);

/** Uses it 50 times at once, over four replicas and from different addresses; counts what was accepted and done. */
async function race({ use, effects }: OnlyOnce): Promise<string> {
  const responses = await times(USES, USES, use);
  const accepted = responses.filter(({ status }) => status === 200).length;
  expect(responses.filter(({ status }) => ![200, 400, BUSY].includes(status))).toEqual([]);
  return `${accepted} accepted, ${await effects()} done`;
}

describe.each(Object.entries(things))('%s, used 50 times at once', (name, make) => {
  it(
    'works once',
    async () => {
      const outcomes = [];
      for (let round = 0; round < ROUNDS; round += 1) outcomes.push(await race(await make()));
      const once = outcomes.filter((outcome) => outcome === '1 accepted, 1 done').length;
      recordFigure(
        `rounds in which ${name}, used ${USES} times at once, worked once`,
        `${once}`,
        `${ROUNDS}`,
        once === ROUNDS,
      );
      expect(outcomes).toEqual(outcomes.map(() => '1 accepted, 1 done'));
    },
    PATIENCE_MS,
  );
});

describe('a current password, proved five times at once', () => {
  it('allows one change: later requests have confirmed an outdated password', async () => {
    const { token } = await signUp(home, 'Careful');
    const change = (index: number) => {
      const body = { current_password: PASSWORD, new_password: `an entirely new one ${index}` };
      return post(0, '/auth/change-password', body, { token } as Person);
    };
    const responses = await times(5, 5, change);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // A request that arrives after others have failed is rejected with 429.
    expect(statuses.filter((status) => ![200, 400, 429].includes(status))).toEqual([]);
  });
});

describe('a single-use invitation in 50 sign-ups that are verified at once', () => {
  it('gives its role once; the others become users without it', async () => {
    const organization = await home.organization(await home.person('Host'));
    const invitation_token = await invitationTo(organization);
    const codes: { email: string; code?: string }[] = [];
    for (let index = 0; index < USES; index += 1) {
      const email = freshEmail(`guest${index}`);
      await post(index, '/auth/register', { email, name: 'Guest', password: PASSWORD, invitation_token }).expect(201);
      codes.push({ email, code: await codeFor(email) });
    }
    const responses = await times(USES, USES, (index) => post(index, '/auth/verify', codes[index]));
    expect(tally(responses.map(({ status }) => status))).toEqual({ 200: USES });
    expect((await membersOf(organization)) - 1).toBe(1);
  });
});
