import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Refused {
  index: number;
  code: string;
  reason: string | null;
  field: string | null;
}

const ADDRESS = 'example.test';

describe('many invitations at once', () => {
  let app: TestApp;
  let [olga, ada, mia]: Person[] = [];
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '110' });
    ada = await app.admin();
  });
  beforeEach(async () => {
    [olga, mia] = [await app.person('Olga'), await app.person('Mia')];
    riverside = await app.organization(olga);
    garden = await app.endeavour(olga);
    await app.join(riverside, mia, 'member');
  });
  afterAll(() => app.close());

  const invite = (person: Person, invitations: object[]) =>
    app.as(person).post('/invitations/bulk').send({ invitations });
  const refusedOf = ({ body }: { body: { error: { details: { refused: Refused[] } } } }) =>
    body.error.details.refused.map(({ index, code, reason, field }) => [index, code, field ?? reason]);
  const listed = async () =>
    (await app.as(olga).get('/invitations').expect(200)).body.data as { id: string; email: string | null }[];

  it('show each token once, mail the others, and can be accepted', async () => {
    const address = `Guest-${riverside}@${ADDRESS}`;
    const response = await invite(olga, [
      { organization_id: riverside, role: 'guest' },
      { email: address, endeavour_id: garden },
      { user_id: mia.id, endeavour_id: garden },
      { endeavour_id: garden, max_uses: 2 },
    ]).expect(201);
    const { data } = response.body;
    expect(data.map((one: Record<string, unknown>) => [one.organization_id, one.email, one.user_id])).toEqual([
      [riverside, null, null],
      [null, address.toLowerCase(), null],
      [null, null, mia.id],
      [null, null, null],
    ]);
    const [first, mailed, byId, last] = data as { token: string | null; mail_status: string | null }[];
    expect([first.token, last.token]).toEqual([
      expect.stringMatching(/^[\w-]{22}$/),
      expect.stringMatching(/^[\w-]{22}$/),
    ]);
    expect(first.token).not.toBe(last.token);
    expect([mailed, byId].map(({ token, mail_status }) => [token, mail_status])).toEqual([
      [null, 'queued'],
      [null, 'queued'],
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await app.mail(address.toLowerCase()))[0].subject).toBe('Olga invites you to Garden');
    const joiner = await app.person('Joiner');
    await app.as(joiner).post('/invitations/accept').send({ token: first.token }).expect(200);
    const events = await app.database.query(
      `SELECT 1 FROM events WHERE type = 'invitation.created' AND entity_id = ANY($1)`,
      [data.map(({ id }: { id: string }) => id)],
    );
    expect(events).toHaveLength(4);
  });

  it('do not return or keep the tokens for a repeated request', async () => {
    const sent = [{ organization_id: riverside }, { endeavour_id: garden }];
    const ask = () => invite(olga, sent).set('Idempotency-Key', 'invite-all-once').expect(201);
    const { data } = (await ask()).body as { data: { token: string }[] };
    expect((await ask()).body.data).toEqual(data.map((one) => ({ ...one, token: null })));
    const kept = JSON.stringify(await app.database.query('SELECT body FROM idempotency_keys'));
    expect(kept).toContain(riverside);
    for (const { token } of data) expect(kept).not.toContain(token);
    expect(await listed()).toHaveLength(2);
  });

  it('are all refused if one is, and neither mailed nor counted', async () => {
    const [fresh, known] = [`fresh-${garden}@${ADDRESS}`, `known-${garden}@${ADDRESS}`];
    await app.as(olga).post('/invitations').send({ email: known, organization_id: riverside }).expect(201);
    // Creations of the requests before are stored later.
    const counted = () =>
      app.database.query(`SELECT key, count FROM rate_counters WHERE key NOT LIKE 'creations:%' ORDER BY key`);
    const before = await counted();
    expect(before).not.toEqual([]);
    const response = await invite(olga, [
      { email: fresh, organization_id: riverside },
      { email: known, organization_id: riverside },
      { organization_id: newId('organization') },
      { user_id: newId('user'), organization_id: riverside },
      { email: known, endeavour_id: garden },
    ]).expect(409);
    expect(refusedOf(response)).toEqual([
      [1, 'conflict', 'already_invited'],
      [2, 'invalid_input', 'invitations.2.organization_id'],
      [3, 'invalid_input', 'invitations.3.user_id'],
    ]);
    expect(response.body.error.details.reason).toBe('already_invited');
    expect((await listed()).map(({ email }) => email)).toEqual([known]);
    const mails = await app.database.query(`SELECT 1 FROM outbox WHERE recipient = $1`, [fresh]);
    expect(mails).toEqual([]);
    expect(await counted()).toEqual(before);
  });

  it('name every contradiction, and invitations that repeat another of the same request', async () => {
    const email = `twice-${garden}@${ADDRESS}`;
    const { body } = await invite(olga, [
      { email, organization_id: riverside },
      { email, endeavour_id: garden },
      { email: email.toUpperCase(), endeavour_id: garden, organization_id: riverside, max_uses: 2 },
      { role: 'guest', expires_at: '2020-01-01T00:00:00Z' },
      { user_id: mia.id, endeavour_id: garden },
      { user_id: mia.id, endeavour_id: garden },
    ]).expect(400);
    expect(body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual([
      'invitations.2.max_uses',
      'invitations.3.expires_at',
      'invitations.3.organization_id',
      'invitations.5.user_id',
    ]);
    const again = await invite(olga, [
      { email, organization_id: riverside },
      { email: email.toUpperCase(), endeavour_id: garden, organization_id: riverside },
    ]).expect(400);
    expect(refusedOf(again)).toEqual([[1, 'invalid_input', 'invitations.1.email']]);
    expect(await listed()).toEqual([]);
  });

  it('grant no role above that of the inviter, in any of the places', async () => {
    const [boss, admin] = [await app.person('Boss'), await app.person('Admin')];
    const shop = await app.organization(boss);
    await app.join(riverside, admin, 'admin');
    const response = await invite(admin, [
      { organization_id: riverside },
      { organization_id: riverside, role: 'owner' },
      { organization_id: shop },
      {},
    ]).expect(403);
    expect(refusedOf(response)).toEqual([
      [1, 'forbidden', null],
      [2, 'invalid_input', 'invitations.2.organization_id'],
      [3, 'forbidden', null],
    ]);
    await invite(mia, [{ organization_id: riverside }]).expect(403);
    const token = await tokenOf(app, olga);
    const { body } = await invite(token, [{ organization_id: riverside }]).expect(403);
    expect(body.error.details.reason).toBe('session_required');
    await invite(ada, [{}, {}]).expect(201);
    expect(await listed()).toEqual([]);
  });

  it('count each against the limit of the inviter, and have no dry run', async () => {
    const many = (length: number) => Array.from({ length }, () => ({ organization_id: riverside }));
    await invite(olga, many(101)).expect(400);
    const { body } = await invite(olga, many(100)).expect(201);
    expect(new Set(body.data.map(({ token }: { token: string }) => token)).size).toBe(100);
    const refused = await invite(olga, many(11)).expect(429);
    expect(refused.body.error.details.setting).toBe('LIMIT_INVITATIONS_PER_HOUR');
    await invite(olga, many(10)).expect(201);
    await invite(olga, many(1)).expect(429);
    await app
      .as(olga)
      .post('/invitations/bulk?dry_run=true')
      .send({ invitations: many(1) })
      .expect(400);
  });

  race('to the same people in different orders leave one of each', 5, async () => {
    const other = await app.person('Other');
    await app.join(riverside, other, 'admin');
    const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}-${other.id}@${ADDRESS}`);
    const one = emails.map((email) => ({ email, organization_id: riverside }));
    const responses = await Promise.all([invite(olga, one), invite(other, one.toReversed())]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const open = await app.database.query('SELECT 1 FROM invitations WHERE email = ANY($1)', [emails]);
    expect(open).toHaveLength(4);
  });
});
