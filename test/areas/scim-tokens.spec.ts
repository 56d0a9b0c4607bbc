import { TestDirectory } from '../support/directory.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let ada: Person;
let ann: Person;
let directory: TestDirectory;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  ada = await app.admin();
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
  directory = await TestDirectory.of(app, ann, ada);
});

const pathOf = ({ organization }: TestDirectory): string => `/organizations/${organization}/scim-tokens`;
const reasonOf = ({ body }: { body: { error: { details: { reason?: string } } } }) => body.error.details.reason;

/** Expects a refusal as SCIM has it. */
const refused = (body: object, status: number) =>
  expect(body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
  });

describe('a provisioning token', () => {
  it('is valid for 365 days, and shown once', async () => {
    const { body } = await app.as(ann).post(pathOf(directory)).send({ name: 'New' }).expect(201);
    expect(body.data).toMatchObject({ name: 'New', made_by: ann.id, last_used_at: null });
    expect(body.data.token).toMatch(/^wsp_[0-9A-Za-z]{46}$/);
    const days = (Date.parse(body.data.expires_at) - Date.parse(body.data.created_at)) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    await directory.get('/Users').expect(200);
    const { body: listed } = await app
      .as(ann)
      .get(`${pathOf(directory)}?sort=created_at`)
      .expect(200);
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([directory.tokenId, body.data.id]);
    expect(JSON.stringify(listed)).not.toContain('wsp_');
    expect(listed.data[0].last_used_at).not.toBeNull();
  });

  it('exists twice at most, so that one can replace the other', async () => {
    const second = await TestDirectory.makeToken(app, ann, directory.organization);
    const third = await app.as(ann).post(pathOf(directory)).send({ name: 'Third' }).expect(409);
    expect(reasonOf(third)).toBe('too_many_tokens');
    const { body } = await app
      .as(ann)
      .delete(`${pathOf(directory)}/${directory.tokenId}`)
      .expect(200);
    expect(body.data).toEqual({ id: directory.tokenId, deleted: true });
    await directory.get('/Users').expect(401);
    await directory.with({ token: second.token }).get('/Users').expect(200);
    await TestDirectory.makeToken(app, ann, directory.organization);
    await app
      .as(ann)
      .delete(`${pathOf(directory)}/${directory.tokenId}`)
      .expect(404);
    await app
      .as(ann)
      .delete(`${pathOf(directory)}/${second.id}`)
      .set('If-Match', '"7"')
      .expect(412);
  });

  it('is managed by owners in a session, with a proof', async () => {
    const robot = await tokenOf(app, ann);
    expect(reasonOf(await app.as(robot).post(pathOf(directory)).send({ name: 'New' }).expect(403))).toBe(
      'session_required',
    );
    expect(reasonOf(await app.as(robot).get(pathOf(directory)).expect(403))).toBe('session_required');
    for (const role of ['admin', 'member', 'guest']) {
      const person = await app.person('Ben');
      await app.join(directory.organization, person, role);
      await app.as(person).get(pathOf(directory)).expect(403);
      await app.as(person).post(pathOf(directory)).send({ name: 'New' }).expect(403);
      await app
        .as(person)
        .delete(`${pathOf(directory)}/${directory.tokenId}`)
        .expect(403);
    }
    const stranger = await app.person('Eve');
    await app.as(stranger).get(pathOf(directory)).expect(404);
    await app
      .as(stranger)
      .delete(`${pathOf(directory)}/${directory.tokenId}`)
      .expect(404);
    await app.database.query(`UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [ann.id]);
    expect(reasonOf(await app.as(ann).post(pathOf(directory)).send({ name: 'New' }).expect(403))).toBe(
      'proof_required',
    );
  });

  it('of another organization cannot be deleted, and its events reach owners only', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    await app
      .as(ann)
      .delete(`${pathOf(directory)}/${other.tokenId}`)
      .expect(404);
    const member = await app.person('Ben');
    await app.join(directory.organization, member, 'admin');
    const eventsOf = async (person: Person): Promise<string[]> => {
      const { body } = await app.as(person).get('/changes?after=0&type=scim_token.created').expect(200);
      return body.data.map(({ entity_id }: { entity_id: string }) => entity_id);
    };
    expect(await eventsOf(ann)).toEqual([directory.tokenId]);
    expect(await eventsOf(member)).toEqual([]);
  });

  it('opens only the path of its organization, and nothing else', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const { body: elsewhere } = await directory.with({ organization: other.organization }).get('/Users').expect(404);
    refused(elsewhere, 404);
    await directory.with({ organization: 'org_00000000000070008000000000000000' }).get('/Users').expect(404);
    for (const path of ['/auth/whoami', `/organizations/${directory.organization}`]) {
      await app
        .as({ ...ann, token: directory.token })
        .get(path)
        .expect(401);
    }
    const robot = await tokenOf(app, ann);
    const nobody = ['', 'x', ann.token, robot.token, `${directory.token.slice(0, -1)}0`, directory.token.toLowerCase()];
    for (const token of nobody.filter((one) => one !== directory.token)) {
      const { body, headers } = await directory.with({ token }).get('/Users').expect(401);
      refused(body, 401);
      expect(headers['content-type']).toBe('application/scim+json');
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="worksmith"/);
    }
  });

  it('survives the person who made it, and ends when it expires', async () => {
    const second = await app.person('Ben');
    await app.join(directory.organization, second, 'owner');
    await app.as(second).delete(`/organizations/${directory.organization}/members/${ann.id}`).expect(200);
    await directory.get('/Users').expect(200);
    await app.database.query(`UPDATE scim_tokens SET expires_at = now() WHERE id = $1`, [directory.tokenId]);
    await directory.get('/Users').expect(401);
    await TestDirectory.makeToken(app, second, directory.organization);
    await TestDirectory.makeToken(app, second, directory.organization);
  });

  it('is not made for an archived organization', async () => {
    await app.as(ann).post(`/organizations/${directory.organization}/archive`).send({ reason: 'Over' }).expect(200);
    const { body } = await app.as(ann).post(pathOf(directory)).send({ name: 'New' }).expect(409);
    expect(body.error.code).toBe('archived');
    const { body: late } = await directory.post('/Users', directory.user()).expect(409);
    refused(late, 409);
    await app
      .as(ann)
      .delete(`${pathOf(directory)}/${directory.tokenId}`)
      .expect(200);
  });

  it('is announced to all owners 30 days before it expires, once', async () => {
    const second = await app.person('Ben');
    await app.join(directory.organization, second, 'owner');
    const later = await TestDirectory.makeToken(app, ann, directory.organization);
    const expire = (id: string, days: number) =>
      app.database.query('UPDATE scim_tokens SET expires_at = now() + make_interval(days => $2) WHERE id = $1', [
        id,
        days,
      ]);
    await expire(directory.tokenId, 29);
    await expire(later.id, 31);
    await app.service.runJobs();
    for (const owner of [ann, second]) {
      expect((await app.mail(owner.email)).map(({ subject }) => subject)).toContain(
        'A provisioning token of Riverside expires',
      );
    }
    await app.database.query(`UPDATE jobs SET due_at = now() WHERE name = 'scim_token_expiry'`);
    await app.service.runJobs();
    const mails = (await app.mail(ann.email)).filter(({ subject }) => subject.includes('expires'));
    expect(mails).toHaveLength(1);
  });
});
