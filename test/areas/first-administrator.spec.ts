import { FirstAdministrator } from '../../src/modules/auth/first-administrator.js';
import { Passwords } from '../../src/modules/users/passwords.js';
import { UsersRepository } from '../../src/modules/users/users.repository.js';
import { Settings } from '../../src/platform/config/settings.js';
import { InProcessApp } from '../support/in-process-app.js';

const apps: InProcessApp[] = [];
async function open(environment: Record<string, string> = {}): Promise<InProcessApp> {
  const app = await InProcessApp.open(environment);
  apps.push(app);
  return app;
}
afterAll(() => Promise.all(apps.map((app) => app.close())));

const door = (app: InProcessApp) => app.nest.get(FirstAdministrator, { strict: false });
const login = (app: InProcessApp, email: string, password = '') =>
  app.as(null).post('/auth/login').send({ email, password });
const administrators = (app: InProcessApp) =>
  app.database.query('SELECT email FROM users WHERE is_admin ORDER BY email');

describe('the first administrator', () => {
  it('is created once, with a password that is shown once', async () => {
    const app = await open();
    const outcomes = await Promise.all([door(app).ensure(), door(app).ensure(), door(app).ensure()]);
    const made = outcomes.filter((outcome) => outcome !== undefined);
    expect(made).toEqual([{ email: 'admin@worksmith.example', password: expect.stringMatching(/^[\w-]{20}$/) }]);
    expect(await door(app).ensure()).toBeUndefined();
    const { body } = await login(app, made[0].email, made[0].password).expect(200);
    const { body: list } = await app.as(body.data).get('/users').expect(200);
    expect(list.meta.total).toBe(1);
  });

  it('is created from ADMIN_EMAIL and ADMIN_PASSWORD, and not changed afterwards', async () => {
    const app = await open({ ADMIN_EMAIL: 'Boss@Example.test', ADMIN_PASSWORD: 'three wooden ladders' });
    expect(await door(app).ensure()).toEqual({ email: 'boss@example.test' });
    expect(await door(app).ensure()).toBeUndefined();
    await login(app, 'boss@example.test', 'three wooden ladders').expect(200);
    expect(await administrators(app)).toEqual([{ email: 'boss@example.test' }]);
  });

  it('is awaited by no other replica while a password is hashed, or once it exists', async () => {
    const app = await open({ ADMIN_EMAIL: 'boss@example.test', ADMIN_PASSWORD: 'three wooden ladders' });
    const lock = `SELECT pg_try_advisory_xact_lock(hashtextextended('administrators', 3)) AS "isFree"`;
    const passwords = app.nest.get(Passwords, { strict: false });
    const users = app.nest.get(UsersRepository, { strict: false });
    const hash = passwords.hash.bind(passwords);
    const seen: unknown[] = [];
    jest.spyOn(passwords, 'hash').mockImplementation(async (password) => {
      seen.push(await app.observer.one(lock));
      return hash(password);
    });
    const locking = jest.spyOn(users, 'lockAdministrators');
    expect(await door(app).ensure()).toEqual({ email: 'boss@example.test' });
    expect([seen, locking.mock.calls.length]).toEqual([[{ isFree: true }], 1]);
    expect(await door(app).ensure()).toBeUndefined();
    expect(locking).toHaveBeenCalledTimes(1);
  });

  it('is not created automatically if DATABASE_URL is set', async () => {
    const app = await open();
    app.nest.get(Settings).DATABASE_URL = 'postgres://somewhere/else';
    expect(await door(app).ensure()).toBeUndefined();
    expect(await administrators(app)).toEqual([]);
  });
});

describe('creating an administrator by command', () => {
  it('creates a user with a random password, or promotes an existing user who keeps their password', async () => {
    const app = await open();
    const made = await door(app).create('Root@Example.test');
    expect(made).toEqual({ email: 'root@example.test', password: expect.any(String) });
    await login(app, made.email, made.password).expect(200);

    const ann = await app.person('Ann', { status: 'inactive' });
    expect(await door(app).create(ann.email)).toEqual({ email: ann.email });
    await app.as(ann).get('/users').expect(200);
    await expect(door(app).create('ann')).rejects.toThrow('"ann" is not an e-mail address.');
  });
});
