import { address, closeReplicas, openReplicas, tally, times } from '../support/attack.js';
import type { TestApp, Person } from '../support/test-app.js';
import { PASSWORD, signUp } from '../support/sign-up.js';

let apps: TestApp[];
let app: TestApp;
beforeAll(async () => {
  apps = await openReplicas();
  [app] = apps;
});
afterAll(() => closeReplicas(apps));

const login = (body: object, from = address(1), replica = 0) =>
  apps[replica % apps.length].as(null).post('/auth/login').set('X-Forwarded-For', from).send(body);

describe('guessing passwords, over four replicas', () => {
  it('allows 5 attempts, then delays only that address', async () => {
    const { email } = await signUp(app, 'Gus');
    const responses = await times(25, 25, (index) =>
      login({ email, password: 'certainly not this one' }, address(1), index),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 401: 5, 429: 20 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.error.code).toBe('rate_limited');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    await login({ email, password: PASSWORD }, address(2)).expect(200);
  });

  it('treats an unknown account the same way', async () => {
    const guess = { email: 'unknown@example.test', password: 'certainly not this one' };
    const responses = await times(25, 25, (index) => login(guess, address(1), index));
    expect(tally(responses.map(({ status }) => status))).toEqual({ 401: 5, 429: 20 });
  });

  it('doubles the delay after every further failure, and resets it after a success', async () => {
    const { email } = await signUp(app, 'Hal');
    const wrong = { email, password: 'certainly not this one' };
    const release = () => app.database.query("UPDATE rate_counters SET held_until = now() WHERE key LIKE 'password:%'");
    for (let guess = 1; guess <= 5; guess++) await login(wrong).expect(401);
    const waits = [];
    for (let guess = 6; guess <= 9; guess++) {
      waits.push(Number((await login(wrong).expect(429)).headers['retry-after']));
      await release();
      await login(wrong).expect(401);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    await release();
    await login({ email, password: PASSWORD }).expect(200);
    for (let guess = 1; guess <= 5; guess++) await login(wrong).expect(401);
  });

  it('limits guesses at the current password, too', async () => {
    const { token } = await signUp(app, 'Ivy');
    const body = { current_password: 'certainly not this one', new_password: 'an entirely new one' };
    const guess = (index: number) =>
      apps[index % apps.length]
        .as({ token } as Person)
        .post('/auth/change-password')
        .send(body);
    const responses = await times(16, 16, guess);
    expect(tally(responses.map(({ status }) => status))).toEqual({ 400: 5, 429: 11 });
  });
});
