import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** The last use of a token is written asynchronously, also if the token changes or is deleted meanwhile. */
describe('the last use of an access token', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let outside: pg.Client;

  beforeAll(async () => {
    app = await TestApp.open({ ERASURE_DAYS: '0' });
  });
  beforeEach(async () => {
    ann = await app.person('Ann');
    garden = await app.endeavour(ann);
    outside = await app.openConnection();
    await outside.query('BEGIN');
  });
  afterEach(() => outside.end());
  afterAll(() => app.close());

  const isUsed = async (tokenId: string): Promise<boolean> =>
    (await app.database.query('SELECT 1 FROM access_token_uses WHERE token_id = $1', [tokenId])).length > 0;
  const use = (token: Person, path = `/endeavours/${garden}`) => app.as(token).get(path).expect(200);
  /** Uses both tokens, and waits until the use of the second, which is written together with the first, is stored. */
  const useBoth = async (first: Person, second: Person & { tokenId: string }) => {
    await use(first, '/auth/whoami');
    await use(second);
    while (!(await isUsed(second.tokenId))) {
      expect(await app.waiting('INSERT INTO access_token_uses')).toBe(0);
      await sleep(10);
    }
  };

  it('does not block erasing its container', async () => {
    const [bound, free] = [await tokenOf(app, ann, { endeavour_id: garden }), await tokenOf(app, ann)];
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    // Numbers the events first, so that only erasing waits for the row that is locked below.
    await app.as(ann).get('/changes?after=now').expect(200);
    // Erasing waits after it has deleted the data of the token, but before it deletes the token.
    await outside.query('SELECT 1 FROM events WHERE entity_id = $1 FOR UPDATE', [bound.tokenId]);
    const { body } = await app.as(ann).delete(`/endeavours/${garden}?confirm=Garden`).expect(202);
    const worker = await TestApp.open({ WORKERS: 'true' }, app);
    await app.untilLockWaits(1);
    await useBoth(bound, free);
    await outside.query('ROLLBACK');
    const ended = await worker.ended(ann, `/operations/${body.data.id}`);
    expect(ended.body.data.status).toBe('succeeded');
    const log = (await worker.service.logOf(body.data.id)).join('');
    await worker.close();
    expect(log).not.toContain('violates');
    expect(await isUsed(bound.tokenId)).toBe(false);
    await app.as(bound).get('/auth/whoami').expect(401);
  });

  it('is stored for other tokens if one is deleted at the same time', async () => {
    const [bound, free] = [await tokenOf(app, ann, { endeavour_id: garden }), await tokenOf(app, ann)];
    await outside.query('DELETE FROM access_token_secrets WHERE token_id = $1', [bound.tokenId]);
    await outside.query('DELETE FROM access_tokens WHERE id = $1', [bound.tokenId]);
    await useBoth(bound, free);
    await outside.query('COMMIT');
    expect(await isUsed(bound.tokenId)).toBe(false);
  });

  it('is not stored for a user who is erased at the same time', async () => {
    const eve = await app.person('Eve');
    const [hers, free] = [await tokenOf(app, eve), await tokenOf(app, ann)];
    const ada = await app.admin();
    await outside.query('SELECT 1 FROM access_tokens WHERE id = $1 FOR SHARE', [hers.tokenId]);
    const erased = app.as(ada).delete(`/users/${eve.id}?erase=now`).expect(200).then();
    await app.untilLockWaits(1);
    await useBoth(hers, free);
    await outside.query('ROLLBACK');
    await erased;
    expect(await isUsed(hers.tokenId)).toBe(false);
  });
});
