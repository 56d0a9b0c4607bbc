import { PASSWORD } from '../support/sign-up.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const TOKEN = { name: 'Robot', scopes: ['tasks:read'] };

let app: TestApp;
let passwordHash: string;

beforeAll(async () => {
  app = await TestApp.open();
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => app.close());

const withPassword = (name = 'Ann'): Promise<Person> => app.person(name, { passwordHash });

/** Lets the last proof in the person's sessions be that old. */
const age = (person: Person, minutes: number): Promise<unknown> =>
  app.database.query(
    `UPDATE sessions SET created_at = least(created_at, now() - make_interval(mins => $2)),
       proved_at = now() - make_interval(mins => $2) WHERE user_id = $1`,
    [person.id, minutes],
  );

const prove = (person: Person, body: object) => app.as(person).post('/auth/step-up').send(body);
const makeToken = (person: Person) => app.as(person).post('/auth/tokens').send(TOKEN);

describe('a proof that it is you', () => {
  it('is the sign-in for 15 minutes, and a password afterwards', async () => {
    const ann = await withPassword();
    await makeToken(ann).expect(201);
    await age(ann, 14);
    await makeToken(ann).expect(201);
    await age(ann, 16);
    const { body } = await makeToken(ann).expect(403);
    expect(body.error.code).toBe('forbidden');
    expect(body.error.details).toEqual({
      required: 'a recent proof that it is you',
      reason: 'proof_required',
      methods: ['password'],
    });
    const proof = await prove(ann, { password: PASSWORD }).expect(200);
    expect(proof.body.data).toEqual({ status: 'proved', proved_at: expect.stringMatching(/Z$/) });
    await makeToken(ann).expect(201);
    const sessions = await app.as(ann).get('/auth/sessions').expect(200);
    expect(sessions.body.data).toEqual([
      expect.objectContaining({ method: 'password', proved_at: proof.body.data.proved_at }),
    ]);
  });

  it('counts for the session in which it was given', async () => {
    const ann = await withPassword();
    const elsewhere = await app.signInAgain(ann);
    await age(ann, 16);
    await prove(ann, { password: PASSWORD }).expect(200);
    await makeToken(elsewhere).expect(403);
    await makeToken(ann).expect(201);
  });

  it('of a session that a replica of the previous release opened is its beginning', async () => {
    const ann = await withPassword();
    await app.database.query('UPDATE sessions SET proved_at = NULL WHERE user_id = $1', [ann.id]);
    await makeToken(ann).expect(201);
    await app.database.query(`UPDATE sessions SET created_at = now() - interval '16 minutes' WHERE user_id = $1`, [
      ann.id,
    ]);
    await makeToken(ann).expect(403);
  });

  it('that is wrong is rejected, at most ten times an hour', async () => {
    const ann = await withPassword();
    for (let attempt = 0; attempt < 3; attempt += 1) await prove(ann, { password: PASSWORD }).expect(200);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { body } = await prove(ann, { password: 'three wooden ladders' }).expect(400);
      expect(body.error.code).toBe('verification_failed');
    }
    await prove(ann, { password: PASSWORD }).expect(429);
    await prove(await withPassword('Ben'), { password: PASSWORD }).expect(200);
  });

  it('is one password or one code', async () => {
    const ann = await withPassword();
    for (const body of [{}, { password: PASSWORD, code: 'abc-def-ghi' }]) {
      expect(fieldErrorsOf((await prove(ann, body).expect(400)).body)).toEqual(['password required']);
    }
    await prove(ann, { code: 'abc-def-ghi' }).expect(400);
  });

  it('is asked by no operation that access tokens can call', async () => {
    const ann = await withPassword();
    const token = (await makeToken(ann).expect(201)).body.data.token;
    const { body } = await prove({ ...ann, token }, { password: PASSWORD }).expect(403);
    expect(body.error.details.reason).toBe('session_required');
  });

  it('decides what /auth/can answers', async () => {
    const ann = await withPassword();
    const ask = async () => (await app.as(ann).get('/auth/can?action=auth_tokens_create').expect(200)).body.data;
    expect(await ask()).toMatchObject({ allowed: true });
    await age(ann, 16);
    expect(await ask()).toMatchObject({ allowed: false, reasons: [{ code: 'forbidden', reason: 'proof_required' }] });
  });
});

describe('an account without a password', () => {
  it('proves by a code that is mailed to its address, and works once', async () => {
    const ann = await app.person('Ann');
    await age(ann, 16);
    expect((await makeToken(ann).expect(403)).body.error.details.methods).toEqual(['mailed_code']);
    const sent = await app.as(ann).post('/auth/step-up/code').expect(200);
    expect(sent.body.data).toEqual({ status: 'code_sent', expires_at: expect.stringMatching(/Z$/) });
    const [{ code, subject }] = await app.mail(ann.email);
    expect(subject).toBe('Confirm that it is you');
    await prove(ann, { password: PASSWORD }).expect(400);
    await prove(ann, { code: 'abc-def-ghi' }).expect(400);
    await prove(ann, { code: ` ${code?.toUpperCase()} ` }).expect(200);
    await prove(ann, { code }).expect(400);
    await makeToken(ann).expect(201);
  });

  it('rejects a code that was mailed to somebody else', async () => {
    const [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
    await app.as(ben).post('/auth/step-up/code').expect(200);
    const [{ code }] = await app.mail(ben.email);
    await prove(ann, { code }).expect(400);
  });

  it('mails no code to an account with a password, because access to the mailbox must not replace it', async () => {
    const ann = await withPassword();
    const { body } = await app.as(ann).post('/auth/step-up/code').expect(403);
    expect(body.error.details).toMatchObject({ reason: 'proof_required', methods: ['password'] });
    expect(await app.mail(ann.email)).toEqual([]);
  });

  it('needs a proof where others send their current password', async () => {
    const ann = await app.person('Ann');
    const calls: [string, object][] = [
      ['/auth/email/change', { new_email: `new.${ann.email}` }],
      ['/auth/change-password', { new_password: 'three garden gates' }],
      ['/auth/delete-account', {}],
    ];
    await age(ann, 16);
    for (const [path, body] of calls) {
      const { body: refusal } = await app.as(ann).post(path).send(body).expect(403);
      expect(refusal.error.details.reason).toBe('proof_required');
    }
    await age(ann, 1);
    await app.as(ann).post(calls[0][0]).send(calls[0][1]).expect(200);
    await app.as(ann).post(calls[1][0]).send(calls[1][1]).expect(200);
    const { email } = ann;
    await app.as(null).post('/auth/login').send({ email, password: 'three garden gates' }).expect(200);
    const { body } = await app.as(ann).post('/auth/delete-account').send({}).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['current_password required']);
    const ben = await app.person('Ben');
    await app.as(ben).post('/auth/delete-account').send({}).expect(200);
  });
});

describe('the password among the credentials', () => {
  const kindsOf = async (person: Person): Promise<{ kind: string; secret: string }[]> =>
    app.database.query('SELECT kind, secret FROM credentials WHERE user_id = $1', [person.id]);

  it('is the one that a replica of the previous release has set', async () => {
    const ann = await app.person('Ann');
    expect(await kindsOf(ann)).toEqual([]);
    await app.database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [ann.id, passwordHash]);
    expect(await kindsOf(ann)).toEqual([{ kind: 'password', secret: passwordHash }]);
    await app.as(null).post('/auth/login').send({ email: ann.email, password: PASSWORD }).expect(200);
    await app.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ann.id]);
    expect(await kindsOf(ann)).toEqual([]);
  });

  it('is part of the own data without its hash', async () => {
    const ann = await withPassword();
    const { body } = await app.as(ann).get('/auth/my-data').expect(200);
    expect((body.data ?? body).credentials).toEqual([
      { kind: 'password', created_at: expect.stringMatching(/Z$/), expires_at: null },
    ]);
  });
});
