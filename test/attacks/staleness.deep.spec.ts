import { closeReplicas, recordFigure, openReplicas, PATIENCE_MS, size } from '../support/attack.js';
import type { TestApp, Person } from '../support/test-app.js';
import { PASSWORD, signUp } from '../support/sign-up.js';

/** The number of requests that are sent after the response to each change. */
const AFTERWARDS = size(60, 1_000);
const AT_ONCE = 16;

let apps: TestApp[];
let home: TestApp;
let owner: Person;
let administrator: Person;
beforeAll(async () => {
  apps = await openReplicas();
  [home] = apps;
  [owner, administrator] = [await home.person('Owner'), await home.admin()];
});
afterAll(() => closeReplicas(apps));

interface Loss {
  /** Revokes the right at a replica. */
  take(at: TestApp): PromiseLike<{ status: number }>;
  /** Uses the right. */
  use(at: TestApp): PromiseLike<{ status: number }>;
  /** The status of requests without the right. */
  refusal: number;
}

const whoami = (person: Person) => (at: TestApp) => at.as(person).get('/auth/whoami');
const change = (id: string, body: object) => (at: TestApp) => at.as(administrator).patch(`/users/${id}`).send(body);

async function signedUp(name: string): Promise<Person> {
  const { user_id: id, email, token } = await signUp(home, name);
  return { id, resourceId: '', name, email, token };
}

async function member(container: string, role: string): Promise<Person> {
  const person = await home.person('Member');
  await home.join(container, person, role);
  return person;
}

const losses: Record<string, () => Promise<Loss>> = {
  'their session, by logout': async () => {
    const person = await home.person('Gone');
    return { take: (at) => at.as(person).post('/auth/logout'), use: whoami(person), refusal: 401 };
  },
  'every session, by suspension': async () => {
    const person = await home.person('Suspended');
    return { take: change(person.id, { status: 'suspended' }), use: whoami(person), refusal: 401 };
  },
  'every session, by deactivation': async () => {
    const person = await home.person('Inactive');
    return { take: change(person.id, { status: 'inactive' }), use: whoami(person), refusal: 401 };
  },
  'every session, by a reset': async () => {
    const person = await signedUp('Forgetful');
    await home.as(null).post('/auth/forgot-password').send({ email: person.email }).expect(200);
    const [{ code }] = await home.mail(person.email);
    const body = { email: person.email, code, new_password: 'an entirely new one' };
    return { take: (at) => at.as(null).post('/auth/reset-password').send(body), use: whoami(person), refusal: 401 };
  },
  'their other sessions, by a change of password': async () => {
    const person = await signedUp('Careful');
    const elsewhere = await home.signInAgain(person);
    const body = { current_password: PASSWORD, new_password: 'an entirely new one' };
    return {
      take: (at) => at.as(elsewhere).post('/auth/change-password').send(body),
      use: whoami(person),
      refusal: 401,
    };
  },
  'the rights of an administrator': async () => {
    const person = await home.admin('Deposed');
    return { take: change(person.id, { is_admin: false }), use: (at) => at.as(person).get('/users'), refusal: 403 };
  },
  'an endeavour, by removal': async () => {
    const endeavour = await home.endeavour(owner);
    const person = await member(endeavour, 'admin');
    const sent = { title: 'Mine', endeavour_id: endeavour };
    return {
      take: (at) => at.as(owner).delete(`/endeavours/${endeavour}/members/${person.id}`),
      use: (at) => at.as(person).post('/tasks').send(sent),
      refusal: 400,
    };
  },
  'an organization, by removal': async () => {
    const organization = await home.organization(owner);
    const person = await member(organization, 'admin');
    return {
      take: (at) => at.as(owner).delete(`/organizations/${organization}/members/${person.id}`),
      use: (at) =>
        at
          .as(person)
          .patch(`/organizations/${organization}`)
          .send({ description: `${Math.random()}` }),
      refusal: 404,
    };
  },
  'the endeavours of an organization, by removal from it': async () => {
    const organization = await home.organization(owner);
    const endeavour = await home.endeavour(owner, { organization_id: organization });
    const person = await member(organization, 'member');
    return {
      take: (at) => at.as(owner).delete(`/organizations/${organization}/members/${person.id}`),
      use: (at) => at.as(person).get(`/endeavours/${endeavour}`),
      refusal: 404,
    };
  },
  'the higher role, by a lower one': async () => {
    const endeavour = await home.endeavour(owner);
    const person = await member(endeavour, 'admin');
    return {
      take: (at) => at.as(owner).patch(`/endeavours/${endeavour}/members/${person.id}`).send({ role: 'member' }),
      use: (at) =>
        at
          .as(person)
          .patch(`/endeavours/${endeavour}`)
          .send({ description: `${Math.random()}` }),
      refusal: 403,
    };
  },
};

/** Revokes the right while it is used continuously at four replicas; returns the statuses before and after. */
async function storm({ take, use }: Loss): Promise<{ before: number[]; after: number[] }> {
  const [before, after]: number[][] = [[], []];
  let isTaken = false;
  let turn = 0;
  const user = async (): Promise<void> => {
    while (after.length < AFTERWARDS) {
      const responses = isTaken ? after : before;
      responses.push((await use(apps[turn++ % apps.length])).status);
    }
  };
  const users = Array.from({ length: AT_ONCE }, user);
  await use(home);
  const { status } = await take(apps[1]);
  expect(status).toBe(200);
  isTaken = true;
  await Promise.all(users);
  return { before, after };
}

describe.each(Object.entries(losses))('a user who has lost %s', (name, make) => {
  it(
    'is rejected by every replica after the response to the change, under load',
    async () => {
      const loss = await make();
      const { before, after } = await storm(loss);
      const late = after.filter((status) => status !== loss.refusal).length;
      recordFigure(`accepted of ${after.length} requests after losing ${name}`, `${late}`, '0', late === 0);
      expect(before.some((status) => status < 300)).toBe(true);
      expect(new Set(after)).toEqual(new Set([loss.refusal]));
    },
    PATIENCE_MS,
  );
});
