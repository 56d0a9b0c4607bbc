import { inflateSync } from 'node:zlib';
import jsQR from 'jsqr';
import { fieldErrorsOf } from '../support/refusals.js';
import { enableSecondFactor, forgetUsedCodes, totpOf, type SecondFactor } from '../support/second-factor.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let passwordHash: string;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_LOGIN_PER_MINUTE: '10000', LIMIT_CODES_PER_HOUR: '10000' });
  passwordHash = await app.service.hashPassword(PASSWORD);
});
afterAll(() => app.close());

const withPassword = (name = 'Ann'): Promise<Person> => app.person(name, { passwordHash });

async function withSecondFactor(name = 'Ann'): Promise<{ ann: Person; factor: SecondFactor }> {
  const ann = await withPassword(name);
  return { ann, factor: await enableSecondFactor(app, ann) };
}

const login = ({ email }: Person, password = PASSWORD) => app.as(null).post('/auth/login').send({ email, password });

async function pendingTokenOf(person: Person): Promise<string> {
  return (await login(person).expect(200)).body.data.pending_token;
}

const verify = (pending_token: string, code: string) =>
  app.as(null).post('/auth/totp/verify').send({ pending_token, code });

const codesOf = async (person: Person): Promise<string[]> =>
  (await app.mail(person.email)).map(({ subject }) => subject).toReversed();

const acts = async (person: Person): Promise<string[]> => {
  const rows = await app.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE user_id = $1 AND (action LIKE 'second_factor.%' OR action LIKE 'recovery_%')
     ORDER BY occurred_at, id`,
    [person.id],
  );
  return rows.map(({ action }) => action);
};

/** Reads the text of a QR code from a PNG with one bit per pixel. */
function textIn(png: Buffer): string | undefined {
  const size = png.readUInt32BE(16);
  const at = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const width = 1 + Math.ceil(size / 8);
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const isWhite = (lines[y * width + 1 + (x >> 3)] >> (7 - (x & 7))) & 1;
      pixels.fill(isWhite * 255, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  return jsQR.default(pixels, size, size)?.data;
}

describe('setting up a second factor', () => {
  it('shows a secret as text, as an address and as a picture, and changes nothing yet', async () => {
    const ann = await withPassword();
    const { body, headers } = await app.as(ann).post('/auth/totp/setup').expect(200);
    expect(headers['cache-control']).toContain('no-store');
    const { secret, url, qr_code, expires_at } = body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    expect(textIn(Buffer.from(qr_code, 'base64'))).toBe(url);
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(15);
    const status = await app.as(ann).get('/auth/totp/status').expect(200);
    expect(status.body.data).toEqual({ enabled: false, enabled_at: null, recovery_codes_remaining: 0 });
    expect((await login(ann).expect(200)).body.data.token_type).toBe('Bearer');
  });

  it('ends with a code of the app, which turns it on, tells by mail and ends no session', async () => {
    const ann = await withPassword();
    const elsewhere = await app.signInAgain(ann);
    const { secret } = (await app.as(ann).post('/auth/totp/setup').expect(200)).body.data;
    const wrong = await app.as(ann).post('/auth/totp/enable').send({ code: '000000' }).expect(400);
    expect(wrong.body.error.code).toBe('verification_failed');
    const { body } = await app
      .as(ann)
      .post('/auth/totp/enable')
      .send({ code: totpOf(secret) })
      .expect(200);
    expect(body.data).toEqual({ status: 'enabled', recovery_codes: expect.any(Array) });
    expect(new Set(body.data.recovery_codes).size).toBe(10);
    const status = await app.as(elsewhere).get('/auth/totp/status').expect(200);
    expect(status.body.data).toEqual({
      enabled: true,
      enabled_at: expect.stringMatching(/Z$/),
      recovery_codes_remaining: 10,
    });
    expect(await codesOf(ann)).toEqual(['A second factor was turned on']);
    expect(await acts(ann)).toEqual(['second_factor.enabled']);
  });

  it('is refused while one is on', async () => {
    const { ann, factor } = await withSecondFactor();
    for (const [path, body] of [
      ['setup', undefined],
      ['enable', { code: totpOf(factor.secret) }],
    ] as const) {
      const refused = await app.as(ann).post(`/auth/totp/${path}`).send(body).expect(409);
      expect(refused.body.error.details.reason).toBe('already_enabled');
    }
  });

  it('is not shown again to a request that is repeated', async () => {
    const ann = await withPassword();
    const repeated = async (path: string, body?: object) => {
      const send = () => app.as(ann).post(`/auth/totp/${path}`).set('Idempotency-Key', path).send(body);
      const first = await send().expect(200);
      const { body: again, headers } = await send().expect(200);
      expect(headers['idempotent-replayed']).toBe('true');
      return { first: first.body.data, again: again.data };
    };
    const setup = await repeated('setup');
    expect(setup.again).toMatchObject({ secret: null, url: null, qr_code: null });
    const enabled = await repeated('enable', { code: totpOf(setup.first.secret) });
    expect(enabled.again).toEqual({ status: 'enabled', recovery_codes: null });
  });

  it('takes the secret that was shown last, for 15 minutes', async () => {
    const ann = await withPassword();
    const first = (await app.as(ann).post('/auth/totp/setup').expect(200)).body.data.secret;
    const second = (await app.as(ann).post('/auth/totp/setup').expect(200)).body.data.secret;
    const enable = (code: string) => app.as(ann).post('/auth/totp/enable').send({ code });
    await enable(totpOf(first)).expect(400);
    await app.database.query(`UPDATE credentials SET expires_at = now() WHERE user_id = $1 AND kind = 'totp'`, [
      ann.id,
    ]);
    await enable(totpOf(second)).expect(400);
    await login(ann).expect(200);
  });

  it('stores neither the secret nor the recovery codes in clear', async () => {
    const { ann, factor } = await withSecondFactor();
    const stored = await app.database.query<{ secret: string }>('SELECT secret FROM credentials WHERE user_id = $1', [
      ann.id,
    ]);
    const texts = stored.map(({ secret }) => secret).join('\n');
    for (const shown of [factor.secret, ...factor.recoveryCodes]) expect(texts).not.toContain(shown);
    const { body } = await app.as(ann).get('/auth/my-data').expect(200);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(stored.map(({ secret }) => secret.slice(0, 20)).join('|')));
  });

  it('cannot be moved to another account in the database', async () => {
    const [{ ann }, { ann: ben, factor }] = [await withSecondFactor(), await withSecondFactor('Ben')];
    await app.database.query(
      `UPDATE credentials c SET secret = o.secret FROM credentials o
       WHERE c.user_id = $1 AND o.user_id = $2 AND c.kind = 'totp' AND o.kind = 'totp'`,
      [ann.id, ben.id],
    );
    await verify(await pendingTokenOf(ann), totpOf(factor.secret)).expect(401);
  });
});

describe('signing in with a second factor', () => {
  it('takes the password and then a code', async () => {
    const { ann, factor } = await withSecondFactor();
    const { body } = await login(ann).expect(200);
    expect(body.data).toEqual({
      status: '2fa_required',
      pending_token: expect.any(String),
      methods: ['totp', 'recovery_code'],
      expires_at: expect.stringMatching(/Z$/),
    });
    expect(Math.round((Date.parse(body.data.expires_at) - Date.now()) / 60_000)).toBe(5);
    await app
      .as({ ...ann, token: body.data.pending_token })
      .get('/auth/whoami')
      .expect(401);
    const signedIn = await verify(body.data.pending_token, totpOf(factor.secret)).expect(200);
    expect(signedIn.body.data).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.stringMatching(/Z$/),
      user_id: ann.id,
      name: 'Ann',
      email: ann.email,
    });
    const sessions = await app
      .as({ ...ann, token: signedIn.body.data.token })
      .get('/auth/sessions')
      .expect(200);
    expect(sessions.body.data[0]).toMatchObject({ is_current: true, method: 'password+totp' });
  });

  it('takes the pending token and a code, and nothing else', async () => {
    const { body } = await app.as(null).post('/auth/totp/verify').send({ code: 123456, email: 'x' }).expect(400);
    expect(fieldErrorsOf(body).toSorted()).toEqual([
      'code invalid_type',
      'email unknown_field',
      'pending_token required',
    ]);
    const ann = await withPassword();
    await app.as(ann).get('/auth/totp/status?verbose=true').expect(400);
  });

  it('tells nothing about it before the right password', async () => {
    const [{ ann }, ben] = [await withSecondFactor(), await withPassword('Ben')];
    const refusals = [ann, ben, { ...ben, email: 'nobody@example.test' }].map(async (person) => {
      const { body } = await login(person, 'three wooden ladders').expect(401);
      return { ...body.error, request_id: null };
    });
    const [first, ...others] = await Promise.all(refusals);
    for (const other of others) expect(other).toEqual(first);
  });

  it('accepts each code once, and the codes of the neighbouring steps', async () => {
    const { ann, factor } = await withSecondFactor();
    const code = totpOf(factor.secret);
    await verify(await pendingTokenOf(ann), ` ${code.slice(0, 3)} ${code.slice(3)} `).expect(200);
    await verify(await pendingTokenOf(ann), code).expect(401);
    await verify(await pendingTokenOf(ann), totpOf(factor.secret, -3)).expect(401);
    await verify(await pendingTokenOf(ann), totpOf(factor.secret, 3)).expect(401);
  });

  it('accepts one code for one of several sign-ins at once', async () => {
    const { ann, factor } = await withSecondFactor();
    const tokens = [await pendingTokenOf(ann), await pendingTokenOf(ann), await pendingTokenOf(ann)];
    const code = totpOf(factor.secret);
    const statuses = await Promise.all(tokens.map(async (token) => (await verify(token, code)).status));
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
  });

  it('accepts each recovery code once, and tells by mail', async () => {
    const { ann, factor } = await withSecondFactor();
    const [code] = factor.recoveryCodes;
    await verify(await pendingTokenOf(ann), code.toUpperCase().replace('-', ' ')).expect(200);
    await verify(await pendingTokenOf(ann), code).expect(401);
    const { body } = await app.as(ann).get('/auth/totp/status').expect(200);
    expect(body.data.recovery_codes_remaining).toBe(9);
    expect(await codesOf(ann)).toEqual(['A second factor was turned on', 'A recovery code was used']);
    expect(await acts(ann)).toEqual(['second_factor.enabled', 'recovery_code.used']);
  });

  it('ends after five attempts, after five minutes, and when it has been used, with one text', async () => {
    const { ann, factor } = await withSecondFactor();
    const texts = new Set<string>();
    const refused = async (token: string, code: string): Promise<void> => {
      const { body } = await verify(token, code).expect(401);
      expect(body.error.code).toBe('invalid_credentials');
      texts.add(body.error.message);
    };
    const tried = await pendingTokenOf(ann);
    for (let attempt = 0; attempt < 5; attempt += 1) await refused(tried, '000000');
    await app.database.query('DELETE FROM rate_counters');
    await refused(tried, totpOf(factor.secret));
    const old = await pendingTokenOf(ann);
    await app.database.query(`UPDATE pending_sign_ins SET expires_at = now() WHERE user_id = $1`, [ann.id]);
    await refused(old, totpOf(factor.secret));
    const used = await pendingTokenOf(ann);
    await verify(used, totpOf(factor.secret)).expect(200);
    await forgetUsedCodes(app, ann);
    await refused(used, totpOf(factor.secret));
    await refused('unknown', totpOf(factor.secret));
    expect(texts.size).toBe(1);
  });

  it('makes strangers wait after twenty wrong codes, but not the owner at a known address', async () => {
    const { ann, factor } = await withSecondFactor();
    await verify(await pendingTokenOf(ann), totpOf(factor.secret)).expect(200);
    await forgetUsedCodes(app, ann);
    const wrong = async (address: string): Promise<number> => {
      const token = await pendingTokenOf(ann);
      return (await verify(token, '000000').set('X-Forwarded-For', address)).status;
    };
    const own = (
      await app.database.query<{ network: string }>('SELECT network FROM known_addresses WHERE user_id = $1', [ann.id])
    )[0];
    expect(own).toBeDefined();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await app.database.query(`DELETE FROM rate_counters WHERE key LIKE 'second_factor:%'`);
      expect(await wrong('')).toBe(401);
    }
    await app.database.query(`DELETE FROM rate_counters WHERE key LIKE 'second_factor:%'`);
    await verify(await pendingTokenOf(ann), totpOf(factor.secret)).expect(200);
    await app.database.query(`DELETE FROM known_addresses WHERE user_id = $1`, [ann.id]);
    await app.database.query(
      `UPDATE rate_counters SET count = 20 WHERE key LIKE 'second_factor_failures:%' AND ends_at > now()`,
    );
    await verify(await pendingTokenOf(ann), totpOf(factor.secret)).expect(429);
  });

  it('delays further attempts after five wrong ones from one address', async () => {
    const { ann } = await withSecondFactor();
    const token = await pendingTokenOf(ann);
    for (let attempt = 0; attempt < 5; attempt += 1) await verify(token, '000000').expect(401);
    const { headers } = await verify(await pendingTokenOf(ann), '000000').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('checks the account again: suspended, closed or with another password meanwhile', async () => {
    const admin = await app.admin();
    const { ann: suspended, factor: one } = await withSecondFactor('Sue');
    const first = await pendingTokenOf(suspended);
    await app.as(admin).patch(`/users/${suspended.id}`).send({ status: 'suspended' }).expect(200);
    expect((await verify(first, '000000').expect(401)).body.error.code).toBe('invalid_credentials');
    expect((await verify(first, totpOf(one.secret)).expect(403)).body.error.code).toBe('account_suspended');
    const { ann: inactive, factor: two } = await withSecondFactor('Ina');
    const second = await pendingTokenOf(inactive);
    await app.as(admin).patch(`/users/${inactive.id}`).send({ status: 'inactive' }).expect(200);
    await verify(second, totpOf(two.secret)).expect(401);
    const { ann: changed, factor: three } = await withSecondFactor('Cha');
    const third = await pendingTokenOf(changed);
    await app
      .as(changed)
      .post('/auth/change-password')
      .send({ current_password: PASSWORD, new_password: 'three garden gates' })
      .expect(200);
    await verify(third, totpOf(three.secret)).expect(401);
  });

  it('is not passed by a reset of the password', async () => {
    const { ann } = await withSecondFactor();
    await app.as(null).post('/auth/forgot-password').send({ email: ann.email }).expect(200);
    const [{ code }] = await app.mail(ann.email);
    const body = { email: ann.email, code, new_password: 'three garden gates' };
    const reset = await app.as(null).post('/auth/reset-password').send(body).expect(200);
    expect(reset.body.data).toEqual({ status: 'password_reset' });
    expect((await login(ann, 'three garden gates').expect(200)).body.data.status).toBe('2fa_required');
  });

  it('revives a closed account only with the second factor', async () => {
    const { ann, factor } = await withSecondFactor();
    await app.as(ann).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(200);
    const statusOf = async () =>
      (await app.database.one<{ status: string }>('SELECT status FROM users WHERE id = $1', [ann.id]))?.status;
    const token = await pendingTokenOf(ann);
    await verify(token, '000000').expect(401);
    expect(await statusOf()).toBe('inactive');
    await verify(token, totpOf(factor.secret)).expect(200);
    expect(await statusOf()).toBe('active');
  });
});

describe('a signed-in user with a second factor', () => {
  const age = (person: Person) =>
    app.database.query(`UPDATE sessions SET proved_at = now() - interval '16 minutes' WHERE user_id = $1`, [person.id]);
  const prove = (person: Person, body: object) => app.as(person).post('/auth/step-up').send(body);

  it('proves to be there with a code, because the password alone proves nothing', async () => {
    const { ann, factor } = await withSecondFactor();
    await age(ann);
    const token = { name: 'Robot', scopes: ['tasks:read'] };
    const { body } = await app.as(ann).post('/auth/tokens').send(token).expect(403);
    expect(body.error.details.methods).toEqual(['totp', 'recovery_code']);
    await prove(ann, { password: PASSWORD }).expect(400);
    await prove(ann, { code: '000000' }).expect(400);
    const code = totpOf(factor.secret);
    await prove(ann, { code }).expect(200);
    await prove(ann, { code }).expect(400);
    await prove(ann, { code: factor.recoveryCodes[0] }).expect(200);
    await app.as(ann).post('/auth/tokens').send(token).expect(201);
    await app.as(ann).post('/auth/step-up/code').expect(403);
  });

  it('turns it off with a code, which ends all other sessions and tells by mail', async () => {
    const { ann, factor } = await withSecondFactor();
    const elsewhere = await app.signInAgain(ann);
    const disable = (code: string) => app.as(ann).post('/auth/totp/disable').send({ code });
    await disable('000000').expect(400);
    await app.as(elsewhere).get('/auth/whoami').expect(200);
    expect((await disable(totpOf(factor.secret)).expect(200)).body.data).toEqual({ status: 'disabled' });
    await app.as(elsewhere).get('/auth/whoami').expect(401);
    expect((await login(ann).expect(200)).body.data.token).toEqual(expect.any(String));
    await disable(factor.recoveryCodes[0]).expect(400);
    expect(await codesOf(ann)).toEqual(['A second factor was turned on', 'Your second factor was turned off']);
    expect(await acts(ann)).toEqual(['second_factor.enabled', 'second_factor.disabled']);
  });

  it('turns it off with a recovery code after losing the app, and can set up another one', async () => {
    const { ann, factor } = await withSecondFactor();
    await app.as(ann).post('/auth/totp/disable').send({ code: factor.recoveryCodes[9] }).expect(200);
    const again = await enableSecondFactor(app, ann);
    expect(again.secret).not.toBe(factor.secret);
    await verify(await pendingTokenOf(ann), factor.recoveryCodes[0]).expect(401);
  });

  it('replaces the recovery codes with a code, which ends all other sessions', async () => {
    const { ann, factor } = await withSecondFactor();
    const elsewhere = await app.signInAgain(ann);
    const renew = (code: string) => app.as(ann).post('/auth/totp/recovery-codes').send({ code });
    await renew('000000').expect(400);
    const { body } = await renew(totpOf(factor.secret)).expect(200);
    expect(body.data.recovery_codes).toHaveLength(10);
    await app.as(elsewhere).get('/auth/whoami').expect(401);
    await verify(await pendingTokenOf(ann), factor.recoveryCodes[0]).expect(401);
    await verify(await pendingTokenOf(ann), body.data.recovery_codes[0]).expect(200);
    expect(await acts(ann)).toEqual(['second_factor.enabled', 'recovery_codes.replaced', 'recovery_code.used']);
  });

  it('limits wrong codes to ten an hour in total', async () => {
    const { ann, factor } = await withSecondFactor();
    const doors = ['step-up', 'totp/disable', 'totp/recovery-codes'];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await app
        .as(ann)
        .post(`/auth/${doors[attempt % 3]}`)
        .send({ code: '000000' })
        .expect(400);
    }
    for (const door of doors)
      await app
        .as(ann)
        .post(`/auth/${door}`)
        .send({ code: totpOf(factor.secret) })
        .expect(429);
  });

  it('cannot be changed with an access token', async () => {
    const { ann, factor } = await withSecondFactor();
    const made = await app
      .as(ann)
      .post('/auth/tokens')
      .send({ name: 'Robot', scopes: ['*'] })
      .expect(201);
    const robot = { ...ann, token: made.body.data.token };
    const { body } = await app.as(robot).post('/auth/totp/disable').send({ code: factor.recoveryCodes[0] }).expect(403);
    expect(body.error.details.reason).toBe('session_required');
  });

  it('loses it with the account', async () => {
    const { ann } = await withSecondFactor();
    const admin = await app.admin();
    await app.as(admin).delete(`/users/${ann.id}?erase=now`).expect(200);
    expect(await app.database.query('SELECT 1 FROM credentials WHERE user_id = $1', [ann.id])).toEqual([]);
  });
});
