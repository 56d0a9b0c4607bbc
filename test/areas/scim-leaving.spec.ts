import { TestDirectory, type ScimResource } from '../support/directory.js';
import { linkedIdentity } from '../support/identities.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { LyingProvider } from '../support/lying-provider.js';
import { CALLBACK, CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { StreamReader } from '../support/stream-reader.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const SETTINGS = {
  LIMIT_WRITES_PER_MINUTE: '100000',
  OIDC_REDIRECT_URIS: CALLBACK,
  IDENTITY_ALLOW: '127.0.0.0/8',
};
const WORK = 'urn:worksmith:params:scim:schemas:extension:2.0:User';

let app: TestApp;
let liar: LyingProvider;
let ada: Person;
let ann: Person;
let directory: TestDirectory;

beforeAll(async () => {
  [app, liar] = await Promise.all([TestApp.open(SETTINGS), LyingProvider.start()]);
  ada = await app.admin();
});
afterAll(() => Promise.all([app.close(), liar.stop()]));
beforeEach(async () => {
  ann = await app.person('Ann');
  directory = await TestDirectory.of(app, ann, ada);
});

const statusOf = async (id: string): Promise<string | undefined> =>
  (await app.database.one<{ status: string }>('SELECT status FROM users WHERE id = $1', [id]))?.status;
const setActive = (id: string, value: unknown, expected = 200) =>
  directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value }).expect(expected);

/** A person whom the directory has added, signed in. */
async function added(more: { userName?: string } = {}): Promise<Person> {
  const { id, userName } = await directory.add(more);
  const row = await app.database.one<{ resource_id: string }>('SELECT resource_id FROM users WHERE id = $1', [id]);
  const person = { id, resourceId: row?.resource_id ?? '', name: String(userName), email: String(userName), token: '' };
  return app.signInAgain(person);
}

describe('the story of one person', () => {
  it('joins, moves, leaves within seconds, and comes back to what she had', async () => {
    const pia = await added();
    const garden = await app.endeavour(ann, { organization_id: directory.organization });
    const membership = { role: 'admin', stakeholder_roles: ['gardener'] };
    await app
      .as(ann)
      .post(`/endeavours/${garden}/members`)
      .send({ user_id: pia.id, ...membership })
      .expect(201);
    await app
      .as(ann)
      .patch(`/organizations/${directory.organization}/members/${pia.id}`)
      .send({ role: 'admin' })
      .expect(200);
    const team = { name: 'Gardeners', type: 'team', organization_id: directory.organization };
    const { body: made } = await app.as(ann).post('/resources').send(team).expect(201);
    const place = `/resources/${made.data.id}/members`;
    await app.as(ann).post(place).send({ resource_id: pia.resourceId, role: 'lead' }).expect(201);
    const joined = await directory.addGroup('Planters', [pia.id]);
    const moved = await directory.addGroup('Painters');
    const member = [{ value: pia.id }];
    await directory.patch(`/Groups/${joined.id}`, { op: 'remove', path: 'members', value: member }).expect(200);
    await directory.patch(`/Groups/${moved.id}`, { op: 'add', path: 'members', value: member }).expect(200);
    const teams = async (): Promise<string[]> => {
      const all = await Promise.all(
        [joined, moved].map(({ id }) => app.as(ann).get(`/resources/${id}/members`).expect(200)),
      );
      return all.flatMap(({ body }) => body.data.map(({ team_id }: { team_id: string }) => team_id));
    };
    expect(await teams()).toEqual([moved.id]);
    const heir = await app.person('Ivy');
    await app.join(directory.organization, heir, 'member');
    await app.as(ann).patch(`/organizations/${directory.organization}`).send({ scim_reassign_to: heir.id }).expect(200);
    const task = await app.task(ann, garden, { assignee_id: pia.resourceId });
    const { body: demand } = await app
      .as(pia)
      .post('/demands')
      .send({ type: 'feature', title: 'A pond', endeavour_id: garden })
      .expect(201);
    const shed = await app.endeavour(ann, { organization_id: directory.organization, is_private: true });
    await app.join(shed, pia, 'member');
    const locked = await app.task(ann, shed, { assignee_id: pia.resourceId });
    const { body: hook } = await app
      .as(pia)
      .post('/webhooks')
      .send({ url: 'https://hooks.example.com/worksmith', organization_id: directory.organization })
      .expect(201);
    const elsewhere = await app.endeavour(pia);
    const whole = await tokenOf(app, pia);
    const inside = await tokenOf(app, pia, { organization_id: directory.organization });
    const ofGarden = await tokenOf(app, pia, { endeavour_id: garden });
    const outside = await tokenOf(app, pia, { endeavour_id: elsewhere });
    const stream = new StreamReader(app.port(), pia, 'after=now');
    await stream.until(() => stream.text !== '');

    const { body: left } = await setActive(pia.id, 'False');
    expect(left).toMatchObject({
      active: false,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', WORK],
      [WORK]: { openWork: [{ value: locked, type: 'task' }] },
    });
    for (const gone of [pia, whole, inside, ofGarden]) await app.as(gone).get('/tasks').expect(401);
    await app.as(outside).get(`/endeavours/${elsewhere}`).expect(200);
    await stream.until(() => stream.hasEnded);
    // Something of her own is left, so the account stays.
    expect(await statusOf(pia.id)).toBe('active');
    const again = await app.signInAgain(pia);
    await app.as(again).get(`/endeavours/${garden}`).expect(404);
    await app.as(again).get(`/organizations/${directory.organization}`).expect(404);
    // Where the heir cannot be assigned, work stays and is listed.
    const assignee = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data.assignee_id;
    expect([await assignee(task), await assignee(locked)]).toEqual([heir.resourceId, pia.resourceId]);
    const { body: pond } = await app.as(ann).get(`/demands/${demand.data.id}`).expect(200);
    expect(pond.data.owner_id).toBe(heir.resourceId);
    await app.service.runJobs();
    const { body: disabled } = await app.as(ann).get(`/webhooks/${hook.data.id}`).expect(200);
    expect(disabled.data).toMatchObject({ is_enabled: false, disabled_reason: 'owner_left' });
    expect((await app.as(ann).get(place).expect(200)).body.data).toEqual([]);
    expect(await teams()).toEqual([]);

    const { body: back } = await setActive(pia.id, true);
    expect(back.active).toBe(true);
    expect(back).not.toHaveProperty(WORK);
    const { body: who } = await app.as(again).get('/auth/whoami').expect(200);
    expect(who.data.organizations).toEqual({ [directory.organization]: 'admin' });
    const { body: members } = await app.as(ann).get(`/endeavours/${garden}/members`).expect(200);
    expect(members.data).toContainEqual(expect.objectContaining({ user_id: pia.id, ...membership }));
    expect((await app.as(ann).get(place).expect(200)).body.data).toMatchObject([
      { resource_id: pia.resourceId, role: 'lead' },
    ]);
    expect(await teams()).toEqual([moved.id]);
    expect(await assignee(task)).toBe(heir.resourceId);
    await app.as(whole).get('/tasks').expect(401);
  });
});

describe('who takes over the work', () => {
  const setHeir = (value: unknown, person = ann) =>
    app.as(person).patch(`/organizations/${directory.organization}`).send({ scim_reassign_to: value });
  const heir = async () =>
    (await app.as(ann).get(`/organizations/${directory.organization}`).expect(200)).body.data.scim_reassign_to;

  it('is a member or a team of the organization, named by an admin', async () => {
    const max = await app.person('Max');
    await app.join(directory.organization, max, 'member');
    await setHeir(ann.id, max).expect(403);
    const team = { name: 'Gardeners', type: 'team', organization_id: directory.organization };
    const { body: made } = await app.as(ann).post('/resources').send(team).expect(201);
    for (const [sent, id] of [
      [max.id, max.resourceId],
      ['me', ann.resourceId],
      [made.data.id, made.data.id],
      [null, null],
    ]) {
      await setHeir(sent).expect(200);
      expect(await heir()).toBe(id);
    }
  });

  it('is nobody from outside', async () => {
    const eve = await app.person('Eve');
    const other = await app.organization(eve);
    const foreign = { name: 'Strangers', type: 'team', organization_id: other };
    const { body: made } = await app.as(eve).post('/resources').send(foreign).expect(201);
    const seen = await app.person('Sue');
    await app.join(await app.endeavour(ann), seen, 'member');
    for (const [sent, code] of [
      [eve.id, 'reference_not_found'],
      [made.data.id, 'reference_not_found'],
      [seen.id, 'invalid_value'],
      ['x', 'invalid_format'],
    ]) {
      const { body } = await setHeir(sent).expect(400);
      expect(fieldErrorsOf(body)).toEqual([`scim_reassign_to ${code}`]);
    }
    expect(await heir()).toBeNull();
  });

  it('gets nothing of what the person has elsewhere, nor anything once gone', async () => {
    const [pia, ivy] = [await added(), await app.person('Ivy')];
    await app.join(directory.organization, ivy, 'member');
    await setHeir(ivy.id).expect(200);
    const eve = await app.person('Eve');
    const outside = await app.endeavour(eve);
    for (const person of [pia, ivy]) await app.join(outside, person, 'member');
    const kept = await app.task(eve, outside, { assignee_id: pia.resourceId });
    const garden = await app.endeavour(ann, { organization_id: directory.organization });
    const task = await app.task(ann, garden, { assignee_id: pia.resourceId });
    await app.as(ivy).delete(`/organizations/${directory.organization}/members/${ivy.id}`).expect(200);
    const { body } = await setActive(pia.id, false);
    expect(body[WORK]).toEqual({ openWork: [{ value: task, type: 'task' }] });
    expect((await app.as(eve).get(`/tasks/${kept}`).expect(200)).body.data.assignee_id).toBe(pia.resourceId);
  });
});

describe('a person whom the directory dismisses', () => {
  it('is suspended if the organization made the account and nothing else is left, until the return', async () => {
    const pia = await added();
    await setActive(pia.id, false);
    expect(await statusOf(pia.id)).toBe('suspended');
    const acts = await app.database.query<{ action: string; token_id: string | null; actor_id: string | null }>(
      'SELECT action, token_id, actor_id FROM audit_entries WHERE user_id = $1',
      [pia.id],
    );
    for (const action of ['member.removed', 'session.ended', 'user.status_changed']) {
      expect(acts).toContainEqual({ action, token_id: directory.tokenId, actor_id: null });
    }
    await setActive(pia.id, 'true');
    expect(await statusOf(pia.id)).toBe('active');
    await app
      .as(await app.signInAgain(pia))
      .get(`/organizations/${directory.organization}`)
      .expect(200);
  });

  it('is not suspended with an account of their own, or as an administrator', async () => {
    const pia = await app.person('Pia', { email: directory.address() });
    await directory.add({ userName: pia.email });
    await setActive(pia.id, false);
    expect(await statusOf(pia.id)).toBe('active');
    const chief = await added();
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [chief.id]);
    await setActive(chief.id, false);
    expect(await statusOf(chief.id)).toBe('active');
    await app.as(chief).get('/tasks').expect(401);
  });

  it('stays suspended after the return if an administrator did it', async () => {
    const pia = await added();
    const other = await app.organization(ann);
    await app.join(other, pia, 'member');
    await setActive(pia.id, false);
    await app.as(ada).patch(`/users/${pia.id}`).send({ status: 'suspended' }).expect(200);
    await setActive(pia.id, true);
    expect(await statusOf(pia.id)).toBe('suspended');
  });

  it('is told nothing by another directory, which keeps its own record', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const pia = await added();
    await app.join(other.organization, pia, 'member');
    await other.patch(`/Users/${pia.id}`, { op: 'replace', path: 'active', value: false }).expect(404);
    await setActive(pia.id, false);
    const again = await app.signInAgain(pia);
    await app.as(again).get(`/organizations/${other.organization}`).expect(200);
    await app.as(again).get(`/organizations/${directory.organization}`).expect(404);
  });

  it('keeps the role as the last active owner, without sessions and tokens, and administrators are told', async () => {
    const owner = await app.person('Olga', { email: directory.address() });
    await directory.add({ userName: owner.email });
    await app
      .as(ann)
      .patch(`/organizations/${directory.organization}/members/${owner.id}`)
      .send({ role: 'owner' })
      .expect(200);
    await app.as(owner).delete(`/organizations/${directory.organization}/members/${ann.id}`).expect(200);
    const token = await tokenOf(app, owner);
    const { body } = await setActive(owner.id, false);
    expect(body.active).toBe(false);
    for (const gone of [owner, token]) await app.as(gone).get('/tasks').expect(401);
    const again = await app.signInAgain(owner);
    const { body: who } = await app.as(again).get('/auth/whoami').expect(200);
    expect(who.data.organizations).toEqual({ [directory.organization]: 'owner' });
    const mails = await app.mail(ada.email);
    expect(mails.map(({ subject }) => subject)).toContain('The last owner of Riverside was dismissed');
    expect((await setActive(owner.id, true)).body.active).toBe(true);
  });

  it('does not sign in with the provider of the organization any more', async () => {
    const provider = {
      name: 'Company',
      issuer: liar.issuer,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      organization_id: directory.organization,
      domains: [directory.domain],
      jit: true,
    };
    const { body: made } = await app.as(ada).post('/identity-providers').send(provider).expect(201);
    const pia = await added();
    await app.endeavour(pia);
    await linkedIdentity(app, pia, made.data.id);
    await app.database.query('UPDATE identities SET subject = $2 WHERE user_id = $1', [pia.id, pia.id]);
    const signIn = async () => {
      const { body } = await app
        .as(null)
        .post(`/auth/oidc/${made.data.id}/start`)
        .send({ redirect_uri: CALLBACK })
        .expect(200);
      const { authorization_url, flow_token } = body.data;
      const claims = { sub: pia.id, email: pia.email, email_verified: true };
      return app
        .as(null)
        .post('/auth/oidc/finish')
        .send({ flow_token, ...liar.signIn(authorization_url, claims) });
    };
    expect((await signIn()).status).toBe(200);
    await setActive(pia.id, false);
    const refused = await signIn();
    expect(refused.status).toBe(403);
    expect(refused.body.error.details.reason).toBe('identity_unknown');
    await setActive(pia.id, true);
    expect((await signIn()).status).toBe(200);
  });
});

describe('a person whom the directory deletes', () => {
  it('is dismissed and gone, and can be added again with what was there', async () => {
    const pia = await added();
    await app
      .as(ann)
      .patch(`/organizations/${directory.organization}/members/${pia.id}`)
      .send({ role: 'admin' })
      .expect(200);
    await directory.delete(`/Users/${pia.id}`).expect(204);
    await app.as(pia).get('/tasks').expect(401);
    expect(await statusOf(pia.id)).toBe('suspended');
    await directory.get(`/Users/${pia.id}`).expect(404);
    await directory.delete(`/Users/${pia.id}`).expect(404);
    expect(await directory.found('active eq false')).toEqual([]);
    const kept = await app.database.one('SELECT user_name, emails, name FROM scim_users WHERE user_id = $1', [pia.id]);
    expect(kept).toEqual({ user_name: null, emails: [], name: {} });
    const back = await directory.add({ userName: pia.email });
    expect(back.id).toBe(pia.id);
    expect(await statusOf(pia.id)).toBe('active');
    const { body } = await app
      .as(await app.signInAgain(pia))
      .get('/auth/whoami')
      .expect(200);
    expect(body.data.organizations).toEqual({ [directory.organization]: 'admin' });
  });

  it('can be added without belonging to the organization', async () => {
    const user: ScimResource = await directory.add({ active: false });
    expect(user.active).toBe(false);
    expect(await statusOf(user.id)).toBe('suspended');
    await setActive(user.id, true);
    expect(await statusOf(user.id)).toBe('active');
  });

  it('counts as inactive when removed by hand, and is admitted again when the directory says so', async () => {
    const pia = await added();
    await app.as(ann).delete(`/organizations/${directory.organization}/members/${pia.id}`).expect(200);
    const { body } = await directory.get(`/Users/${pia.id}`).expect(200);
    expect(body).toMatchObject({ active: false, meta: { version: 'W/"1-inactive"' } });
    expect(await directory.found('active eq false')).toEqual([pia.id]);
    await setActive(pia.id, true);
    expect(await directory.found('active eq true')).toEqual([pia.id]);
  });

  it('leaves the data of the directory with the account', async () => {
    const pia = await added();
    const { body } = await app.as(pia).get('/auth/my-data').expect(200);
    expect(body.directory_records).toMatchObject([
      { organization_id: directory.organization, user_name: pia.email, active: true },
    ]);
  });
});
