import { randomUUID } from 'node:crypto';
import { TestApp, type Person } from '../support/test-app.js';

/** Transactions that lock the same rows in different orders deadlock. */
describe('the erasure of an account with a pending sign-up', () => {
  let app: TestApp;
  let [ada, mia]: Person[] = [];

  beforeAll(async () => {
    app = await TestApp.open();
    [ada, mia] = [await app.admin(), await app.person('Mia')];
  });
  afterAll(() => app.close());

  it('locks sign-ups before their codes, as the completion of a sign-up does', async () => {
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
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM sign_ups WHERE email = $1 FOR UPDATE', [mia.email]);
    const erasing = app
      .as(ada)
      .delete(`/users/${mia.id}?erase=now`)
      .then(({ status }) => status);
    await app.untilLockWaits(1);
    const codes = await other.query('SELECT 1 FROM codes WHERE scope = $1 FOR UPDATE NOWAIT', [mia.email]);
    expect(codes.rows).toHaveLength(1);
    await other.query('ROLLBACK');
    await other.end();
    expect(await erasing).toBe(200);
    expect(await app.observer.query('SELECT 1 FROM codes WHERE scope = $1', [mia.email])).toEqual([]);
  });
});

describe('the organization is locked before', () => {
  let app: TestApp;
  let ann: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });
  beforeEach(async () => {
    // The limits of tier 1 make the service lock the organization whose contents it counts.
    ann = await app.person('Ann', { tier: 1 });
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
  });
  afterAll(() => app.close());

  /** Runs work while the organization is locked; returns the tables of those rows that it has locked when it waits. */
  async function lockedBefore(
    organization: string,
    work: () => PromiseLike<unknown>,
    rows: [table: string, id: string][],
  ): Promise<string[]> {
    const other = await app.openConnection();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organization]);
    const done = Promise.resolve(work());
    await app.untilLockWaits(1);
    const locked: string[] = [];
    for (const [table, id] of rows) {
      await other.query('SAVEPOINT attempt');
      const attempt = other.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE NOWAIT`, [id]);
      await attempt.catch(() => locked.push(table));
      await other.query('ROLLBACK TO attempt');
    }
    await other.query('COMMIT');
    await other.end();
    await done;
    return locked;
  }

  it('an agent that is deleted, and its endeavours', async () => {
    const sent = { name: 'Triage', organization_id: riverside };
    const { id } = (await app.as(ann).post('/agents').send(sent).expect(201)).body.data;
    await app.as(ann).post(`/endeavours/${garden}/members`).send({ user_id: id }).expect(201);
    const remove = () => app.as(ann).delete(`/agents/${id}`).expect(200);
    const rows: [string, string][] = [
      ['users', id],
      ['endeavours', garden],
    ];
    expect(await lockedBefore(riverside, remove, rows)).toEqual([]);
  });

  it('an account that is due for erasure, and its endeavours', async () => {
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    await app.join(garden, mia, 'member');
    const due = `status = 'inactive', erasure_at = now() - interval '1 second'`;
    await app.database.query(`UPDATE users SET ${due} WHERE id = $1`, [mia.id]);
    await app.database.query(`UPDATE jobs SET due_at = '-infinity' WHERE name = 'account_erasure'`);
    const rows: [string, string][] = [
      ['users', mia.id],
      ['endeavours', garden],
    ];
    expect(await lockedBefore(riverside, () => app.service.runJobs(), rows)).toEqual([]);
    const roles = 'SELECT 1 FROM endeavour_members WHERE user_id = $1';
    expect(await app.database.query(roles, [mia.id])).toEqual([]);
  });

  it('the user who creates an endeavour in it', async () => {
    const pat = await app.person('Pat', { tier: 1 });
    await app.join(riverside, pat, 'member');
    const create = () => app.endeavour(pat, { organization_id: riverside });
    expect(await lockedBefore(riverside, create, [['users', pat.id]])).toEqual([]);
  });

  it('an endeavour that is transferred to it', async () => {
    const partner = await app.organization(await app.person('Pat'));
    await app.join(partner, ann, 'admin');
    const transfer = () =>
      app.as(ann).post(`/endeavours/${garden}/transfer`).send({ organization_id: partner }).expect(200);
    expect(await lockedBefore(partner, transfer, [['endeavours', garden]])).toEqual([]);
  });

  it('an endeavour that is unarchived in it', async () => {
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Done' }).expect(200);
    const unarchive = () => app.as(ann).post(`/endeavours/${garden}/unarchive`).send({}).expect(200);
    expect(await lockedBefore(riverside, unarchive, [['endeavours', garden]])).toEqual([]);
  });
});
