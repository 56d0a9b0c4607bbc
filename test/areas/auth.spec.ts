import { TestApp, type Person } from '../support/test-app.js';
import { PASSWORD, register, signUp } from '../support/sign-up.js';

let app: TestApp;
const signedOut = () => app.as(null);

beforeAll(async () => {
  app = await TestApp.open({
    LIMIT_REGISTER_PER_HOUR: '10000',
    LIMIT_LOGIN_PER_MINUTE: '10000',
    LIMIT_CODES_PER_HOUR: '10000',
  });
});
afterAll(() => app.close());

/** Returns the error of a rejected request, without the request id, which differs every time. */
async function refusal(door: string, status: number, body: object): Promise<{ code: string }> {
  const response = await signedOut().post(`/auth/${door}`).send(body).expect(status);
  return { ...response.body.error, request_id: null };
}

describe('signing up', () => {
  it('mails a code that creates the account and signs the user in', async () => {
    const { body } = await signedOut()
      .post('/auth/register')
      .send({ email: ' Zoe@Example.TEST ', name: ' Zoe Zenn ', password: PASSWORD })
      .expect(201);
    expect(body.data).toEqual({
      status: 'pending_verification',
      email: 'zoe@example.test',
      expires_at: expect.stringMatching(/Z$/),
      message: expect.any(String),
    });
    expect(Math.round((Date.parse(body.data.expires_at) - Date.now()) / 60_000)).toBe(60);

    const [mail] = await app.mail('zoe@example.test');
    expect(mail.code).toMatch(/^[0-9a-z]{3}-[0-9a-z]{3}-[0-9a-z]{3}$/);
    expect(mail.text).toContain('Zoe Zenn');

    const { body: verified } = await signedOut()
      .post('/auth/verify')
      .send({ email: 'zoe@example.test', code: ` ${mail.code?.toUpperCase()} ` })
      .expect(200);
    expect(verified.data).toEqual({
      status: 'verified',
      user_id: expect.stringMatching(/^usr_/),
      name: 'Zoe Zenn',
      email: 'zoe@example.test',
      token: expect.any(String),
      expires_at: expect.stringMatching(/Z$/),
    });
    const zoe = { token: verified.data.token } as Person;
    const { body: whoami } = await app.as(zoe).get('/auth/whoami').expect(200);
    expect(whoami.data).toMatchObject({ user_id: verified.data.user_id, name: 'Zoe Zenn', login_count: 1 });
  });

  it('rejects an address that has an account', async () => {
    const ann = await app.person('Ann');
    const { body } = await signedOut()
      .post('/auth/register')
      .send({ email: ann.email.toUpperCase(), name: 'Ann', password: PASSWORD })
      .expect(409);
    expect(body.error).toMatchObject({ code: 'conflict', details: { reason: 'email_taken' } });
  });

  it('returns all field errors at once', async () => {
    const { body } = await signedOut()
      .post('/auth/register')
      .send({ email: 'unknown', password: 'short', nick: 1 })
      .expect(400);
    expect(body.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['email', 'invalid_format'],
      ['password', 'too_short'],
      ['name', 'required'],
      ['nick', 'unknown_field'],
    ]);
  });

  it.each([
    ['a common one', 'qwerty123456'],
    ['one character repeated', 'aaaaaaaaaaaa'],
    ['a common one followed by digits', 'iloveyou1234'],
    ['the address', 'Ben.Big@example.test'],
    ['the name', 'Benjamin Bigg'],
  ])('rejects a password that is %s', async (_, password) => {
    const { body } = await signedOut()
      .post('/auth/register')
      .send({ email: 'ben.big@example.test', name: 'Benjamin Bigg', password })
      .expect(400);
    expect(body.error.details.fields).toEqual([
      { field: 'password', code: 'invalid_value', message: expect.any(String) },
    ]);
  });

  it('allows several pending sign-ups for one address, whose codes are not interchangeable', async () => {
    const email = 'shared@example.test';
    await register(app, { email, name: 'Stranger', password: 'the password of a stranger' });
    await register(app, { email, name: 'Owner', password: PASSWORD });
    const mails = await app.mail(email);
    const codeOf = (name: string) => mails.find(({ text }) => text.includes(name))?.code;
    expect(codeOf('Stranger')).not.toBe(codeOf('Owner'));

    const { body } = await signedOut()
      .post('/auth/verify')
      .send({ email, code: codeOf('Owner') })
      .expect(200);
    expect(body.data.name).toBe('Owner');
    await signedOut().post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    await signedOut().post('/auth/login').send({ email, password: 'the password of a stranger' }).expect(401);
    await signedOut()
      .post('/auth/verify')
      .send({ email, code: codeOf('Stranger') })
      .expect(400);
  });

  it('returns the same error for an unknown address and a wrong, used or expired code', async () => {
    const email = 'codes@example.test';
    await register(app, { email });
    const [{ code }] = await app.mail(email);
    const wrong = await refusal('verify', 400, { email, code: '000-000-000' });
    expect(wrong.code).toBe('verification_failed');
    expect(await refusal('verify', 400, { email: 'unknown@example.test', code })).toEqual(wrong);
    await app.database.query(`UPDATE codes SET expires_at = now() - interval '1 second' WHERE scope = $1`, [email]);
    expect(await refusal('verify', 400, { email, code })).toEqual(wrong);

    await signedOut().post('/auth/resend-verification').send({ email }).expect(200);
    const [{ code: next }] = await app.mail(email);
    await signedOut().post('/auth/verify').send({ email, code: next }).expect(200);
    expect(await refusal('verify', 400, { email, code: next })).toEqual(wrong);
  });

  it('stores passwords and codes as hashes only', async () => {
    const email = 'hashed@example.test';
    await register(app, { email });
    const [{ code }] = await app.mail(email);
    const rows = await app.database.query(
      `SELECT c.*, s.password_hash FROM codes c JOIN sign_ups s ON s.id::text = c.subject WHERE c.scope = $1`,
      [email],
    );
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(rows[0].password_hash).toMatch(/^\$2b\$04\$/);
  });

  it('returns the same response for every address when the status of a sign-up is requested', async () => {
    const email = 'waiting@example.test';
    await register(app, { email });
    const ask = (address: string) => signedOut().get(`/auth/verification-status?email=${address}`);
    const { data: known } = (await ask(email).expect(200)).body;
    const { data: unknown } = (await ask('no-account@example.test').expect(200)).body;
    expect(known).toEqual({ found: true, email, expired: false, expires_at: expect.stringMatching(/Z$/) });
    expect(unknown).toEqual({ ...known, email: 'no-account@example.test', expires_at: unknown.expires_at });
    const faults = async (path: string) => (await signedOut().get(path).expect(400)).body.error.details.fields[0].code;
    expect(await faults('/auth/verification-status')).toBe('required');
    expect(await faults('/auth/verification-status?email=unknown')).toBe('invalid_format');
    expect(await faults(`/auth/verification-status?email=${email}&constructor=1`)).toBe('unknown_field');
  });

  it('invalidates the old code when a new one is sent, without revealing whether there was one', async () => {
    const email = 'resent@example.test';
    await register(app, { email });
    const [{ code: first }] = await app.mail(email);
    const known = await signedOut().post('/auth/resend-verification').send({ email }).expect(200);
    const unknown = await signedOut().post('/auth/resend-verification').send({ email: 'no@example.test' }).expect(200);
    expect(known.body).toEqual({ data: { status: 'code_resent' } });
    expect(unknown.body).toEqual(known.body);
    expect(await app.mail('no@example.test')).toEqual([]);

    const [{ code: second }] = await app.mail(email);
    expect(second).not.toBe(first);
    await signedOut().post('/auth/verify').send({ email, code: first }).expect(400);
    await signedOut().post('/auth/verify').send({ email, code: second }).expect(200);
  });
});

describe('signing in and out', () => {
  it('creates a session at login, counts the login, and ends the session at logout', async () => {
    const { email, user_id } = await signUp(app, 'Lou');
    const { body } = await signedOut().post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    expect(body.data).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user_id,
      name: 'Lou',
      email,
    });
    const lou = { token: body.data.token } as Person;
    const { body: whoami } = await app.as(lou).get('/auth/whoami').expect(200);
    expect(whoami.data).toMatchObject({ login_count: 2, last_active_at: expect.any(String) });

    const { body: out } = await app.as(lou).post('/auth/logout').expect(200);
    expect(out).toEqual({ data: { status: 'logged_out' } });
    await app.as(lou).get('/auth/whoami').expect(401);
    await app.as(lou).post('/auth/logout').expect(401);
  });

  it('returns the same error for unknown, pending and inactive accounts and for wrong passwords', async () => {
    const { email, user_id } = await signUp(app, 'Ina');
    await register(app, { email: 'pending@example.test' });
    const wrong = await refusal('login', 401, { email, password: 'certainly not this one' });
    expect(wrong.code).toBe('invalid_credentials');
    expect(await refusal('login', 401, { email, password: '' })).toEqual(wrong);
    expect(await refusal('login', 401, { email, password: 'x'.repeat(5000) })).toEqual(wrong);
    expect(await refusal('login', 401, { email: 'unknown@example.test', password: PASSWORD })).toEqual(wrong);
    expect(await refusal('login', 401, { email: 'pending@example.test', password: PASSWORD })).toEqual(wrong);
    await app.database.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [user_id]);
    expect(await refusal('login', 401, { email, password: PASSWORD })).toEqual(wrong);
  });

  it('reveals a suspension only after the right password', async () => {
    const { email, user_id } = await signUp(app, 'Sue');
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [user_id]);
    await signedOut().post('/auth/login').send({ email, password: 'certainly not this one' }).expect(401);
    const { body } = await signedOut().post('/auth/login').send({ email, password: PASSWORD }).expect(403);
    expect(body.error.code).toBe('account_suspended');
  });

  it('compares long passwords completely, after Unicode normalization', async () => {
    const long = [...'abcdefghij'].map((letter) => letter + 'é'.repeat(9)).join('');
    const { email } = await signUp(app, 'Len', long);
    await signedOut().post('/auth/login').send({ email, password: long }).expect(200);
    await signedOut()
      .post('/auth/login')
      .send({ email, password: `${long.slice(0, -1)}e` })
      .expect(401);
    await signedOut()
      .post('/auth/login')
      .send({ email, password: long.normalize('NFD') })
      .expect(200);
  });

  it('keeps at most 20 sessions per user, even if 30 start at once, and ends the oldest', async () => {
    const ann = await app.person('Ann');
    await Promise.all(Array.from({ length: 30 }, () => app.signInAgain(ann)));
    const alive = await app.database.query('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [ann.id]);
    expect(alive).toHaveLength(20);
    await app.as(ann).get('/auth/whoami').expect(401);
  });

  it('rejects a token whose session has expired by the database clock', async () => {
    const ann = await app.person('Ann');
    await app.database.query(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
      ann.id,
    ]);
    await app.as(ann).get('/auth/whoami').expect(401);
  });

  it.each(['suspended', 'inactive'])('rejects the token of a user who was %s with an open session', async (status) => {
    const ann = await app.person('Ann');
    await app.database.query('UPDATE users SET status = $2 WHERE id = $1', [ann.id, status]);
    await app.as(ann).get('/auth/whoami').expect(401);
  });
});

describe('a forgotten password', () => {
  it('is reset with a mailed code, which ends every session and notifies the owner', async () => {
    const { email, token } = await signUp(app, 'Fay');
    const known = await signedOut().post('/auth/forgot-password').send({ email }).expect(200);
    const unknown = await signedOut().post('/auth/forgot-password').send({ email: 'none@example.test' }).expect(200);
    expect(known.body).toEqual({ data: { status: 'reset_requested' } });
    expect(unknown.body).toEqual(known.body);
    expect(await app.mail('none@example.test')).toEqual([]);
    const [{ code }] = await app.mail(email);

    const send = (body: object) =>
      signedOut()
        .post('/auth/reset-password')
        .send({ email, code, ...body });
    const tooShort = await send({ new_password: 'short' }).expect(400);
    expect(tooShort.body.error.code).toBe('invalid_input');
    const common = await send({ new_password: 'qwerty123456' }).expect(400);
    expect(common.body.error.details.fields[0].field).toBe('new_password');
    const wrong = await send({ new_password: 'an entirely new one', code: '000-000-000' }).expect(400);
    expect(wrong.body.error.code).toBe('reset_failed');

    const { body } = await send({ new_password: 'an entirely new one' }).expect(200);
    expect(body).toEqual({ data: { status: 'password_reset' } });
    await app
      .as({ token } as Person)
      .get('/auth/whoami')
      .expect(401);
    await signedOut().post('/auth/login').send({ email, password: PASSWORD }).expect(401);
    await signedOut().post('/auth/login').send({ email, password: 'an entirely new one' }).expect(200);
    await send({ new_password: 'another new password' }).expect(400);
    const [notice] = await app.mail(email);
    expect(notice.subject).toBe('Your password was changed');
  });

  it('requires a code that was sent to the current address', async () => {
    const { email, user_id } = await signUp(app, 'Flo');
    await signedOut().post('/auth/forgot-password').send({ email }).expect(200);
    const [{ code }] = await app.mail(email);
    await app.database.query(`UPDATE users SET email = 'flo.new@example.test' WHERE id = $1`, [user_id]);
    await signedOut()
      .post('/auth/reset-password')
      .send({ email, code, new_password: 'an entirely new one' })
      .expect(400);
  });
});

describe('changing the password', () => {
  it('requires the current one, ends every other session and notifies the owner', async () => {
    const { email, token } = await signUp(app, 'Cat');
    const { body: login } = await signedOut().post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    const [here, there] = [{ token } as Person, { token: login.data.token } as Person];
    const change = (body: object) => app.as(here).post('/auth/change-password').send(body);

    const wrong = await change({ current_password: 'not the right one', new_password: 'an entirely new one' }).expect(
      400,
    );
    expect(wrong.body.error.code).toBe('invalid_password');
    const asName = await change({ current_password: PASSWORD, new_password: email }).expect(400);
    expect(asName.body.error.code).toBe('invalid_input');
    const same = await change({ current_password: PASSWORD, new_password: PASSWORD }).expect(400);
    expect(same.body.error.details.fields).toMatchObject([{ field: 'new_password', code: 'invalid_value' }]);

    const { body } = await change({ current_password: PASSWORD, new_password: 'an entirely new one' }).expect(200);
    expect(body).toEqual({ data: { status: 'password_changed' } });
    await app.as(here).get('/auth/whoami').expect(200);
    await app.as(there).get('/auth/whoami').expect(401);
    await signedOut().post('/auth/login').send({ email, password: 'an entirely new one' }).expect(200);
    const [notice] = await app.mail(email);
    expect(notice.subject).toBe('Your password was changed');
  });

  it('can be repeated with an idempotency key', async () => {
    const here = (await signUp(app, 'Key')) as unknown as Person;
    const body = { current_password: PASSWORD, new_password: 'an entirely new one' };
    const change = (sent: object) =>
      app.as(here).post('/auth/change-password').set('Idempotency-Key', 'change-1').send(sent);
    const first = await change(body).expect(200);
    const second = await change(body).expect(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    await change({ ...body, new_password: 'yet another new one' }).expect(422);
    const [{ fingerprint }] = await app.database.query('SELECT fingerprint FROM idempotency_keys');
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});
