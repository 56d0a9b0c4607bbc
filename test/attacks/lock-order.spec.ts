import { randomUUID } from 'node:crypto';
import { TestApp, type Person } from '../support/test-app.js';

/** Statements that lock the same rows in different orders end each other. */
describe('the erasure of an account whose address waits for a code', () => {
  let app: TestApp;
  let [ada, mia]: Person[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    [ada, mia] = [await app.admin(), await app.person('Mia')];
  });
  afterAll(() => app.close());

  it('locks sign-ups before their codes, as the end of a sign-up does', async () => {
    const signUp = randomUUID();
    await app.observer.query(
      `INSERT INTO sign_ups (id, email, name, password_hash, expires_at) VALUES ($1, $2, 'Mia', 'x', now() + interval '1 hour')`,
      [signUp, mia.email],
    );
    await app.observer.query(
      `INSERT INTO codes (id, purpose, scope, subject, hash, expires_at)
       VALUES ($1, 'verification', $2, $3, 'x', now() + interval '1 hour')`,
      [randomUUID(), mia.email, signUp],
    );
    const other = await app.outside();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sign_ups WHERE email = $1 FOR UPDATE', [mia.email]);
    const erasing = app
      .as(ada)
      .delete(`/users/${mia.id}?erase=now`)
      .then(({ status }) => status);
    await app.untilWaiting(1);
    const codes = await other.query('SELECT 1 FROM codes WHERE scope = $1 FOR UPDATE NOWAIT', [mia.email]);
    expect(codes.rows).toHaveLength(1);
    await other.query('ROLLBACK');
    await other.end();
    expect(await erasing).toBe(200);
    expect(await app.observer.query('SELECT 1 FROM codes WHERE scope = $1', [mia.email])).toEqual([]);
  });
});
