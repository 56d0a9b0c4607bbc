import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const PASSWORD = 'two wooden ladders';
let people = 0;

describe('leaving', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let admin: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    admin = await app.admin();
    // A second administrator, so that the first one can be deleted below.
    await app.admin();
  });

  beforeEach(async () => {
    [ann, mia] = [await app.person('Ann'), await withPassword('Mia')];
  });

  afterAll(() => app.close());

  async function withPassword(name: string, more: object = {}): Promise<Person> {
    return app.person(name, { passwordHash: await app.service.hashPassword(PASSWORD), ...more });
  }
  const leave = (person: Person, body: object = {}) =>
    app
      .as(person)
      .post('/auth/delete-account')
      .send({ current_password: PASSWORD, ...body });
  const signIn = (person: Person, password = PASSWORD) =>
    app.as(null).post('/auth/login').send({ email: person.email, password });
  const remove = (person: Person, query = '') => app.as(admin).delete(`/users/${person.id}${query}`);
  const statusOf = async (person: Person) =>
    (await app.database.query('SELECT status FROM users WHERE id = $1', [person.id]))[0].status;
  const fallDue = (person: Person) =>
    app.database.query(`UPDATE users SET erasure_at = now() - interval '1 second' WHERE id = $1`, [person.id]);
  const runErasure = async () => {
    await app.database.query(`UPDATE jobs SET due_at = '-infinity' WHERE name = 'account_erasure'`);
    await app.service.runJobs();
  };

  /** Returns the columns that contain the text, with their tables. */
  async function columnsWith(text: string): Promise<string[]> {
    const columns = await app.database.query<{ relation: string; name: string }>(
      `SELECT table_name AS relation, column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')`,
    );
    const found = [];
    for (const { relation, name } of columns) {
      const sql = `SELECT 1 FROM ${relation} t WHERE t."${name}"::text ILIKE $1 LIMIT 1`;
      if ((await app.database.query(sql, [`%${text}%`])).length > 0) found.push(`${relation}.${name}`);
    }
    return found;
  }

  describe('an account', () => {
    it('is closed at once, and reopened by signing in until it is erased', async () => {
      const { body } = await leave(mia).expect(200);
      expect(body.data).toEqual({ status: 'inactive', erasure_at: expect.any(String) });
      expect(Date.parse(body.data.erasure_at) - Date.now()).toBeGreaterThan(13.9 * 86_400_000);
      await app.as(mia).get('/auth/whoami').expect(401);
      expect((await signIn(mia, 'another wooden ladder').expect(401)).body.error.code).toBe('invalid_credentials');
      expect(await statusOf(mia)).toBe('inactive');
      const { body: welcome } = await signIn(mia).expect(200);
      const { body: profile } = await app
        .as({ ...mia, token: welcome.data.token })
        .get('/auth/whoami')
        .expect(200);
      expect(profile.data).toMatchObject({ status: 'active', name: 'Mia' });
      await runErasure();
      expect(await statusOf(mia)).toBe('active');
    });

    it('is closed only with the correct password', async () => {
      const { body } = await leave(mia, { current_password: 'another wooden ladder' }).expect(400);
      expect(body.error.code).toBe('invalid_password');
      await app.as(mia).get('/auth/whoami').expect(200);
    });

    it('is erased when its erasure is due, and not before', async () => {
      await leave(mia).expect(200);
      await runErasure();
      await signIn(mia).expect(200);
      const again = await app.signInAgain(mia);
      await leave(again).expect(200);
      await fallDue(mia);
      await signIn(mia).expect(401);
      await runErasure();
      await signIn(mia).expect(401);
      await app.as(admin).get(`/users/${mia.id}`).expect(404);
      await app.as(admin).get(`/resources/${mia.resourceId}`).expect(404);
      const { body } = await app.as(admin).get('/users?search=Mia').expect(200);
      expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(mia.id);
    });

    it('is erased even if the other owner of an organization is suspended in the meantime', async () => {
      const [riverside, zoe] = [await app.organization(mia), await app.person('Zoe')];
      await app.join(riverside, ann, 'owner');
      await app.join(riverside, zoe, 'member');
      await leave(mia).expect(200);
      await app.as(admin).patch(`/users/${ann.id}`).send({ status: 'suspended' }).expect(200);
      await fallDue(mia);
      await runErasure();
      await app.as(admin).get(`/users/${mia.id}`).expect(404);
      const { body } = await app.as(admin).get(`/organizations/${riverside}/members`).expect(200);
      const roles = body.data.map(({ name, role }: { name: string; role: string }) => [name, role]);
      expect(roles.sort()).toEqual([
        ['Ann', 'owner'],
        ['Zoe', 'member'],
      ]);
    });

    it('is erased even if the erasure of a hundred earlier ones fails', async () => {
      await app.observer
        .query(`CREATE FUNCTION stick() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$;
        CREATE TRIGGER stick BEFORE UPDATE OF erased_at ON users FOR EACH ROW WHEN (OLD.name = 'Stuck')
          EXECUTE FUNCTION stick()`);
      for (let n = 0; n < 100; n += 1) await app.person('Stuck');
      await app.database.query(
        `UPDATE users SET status = 'inactive', erasure_at = now() - interval '1 day' WHERE name = 'Stuck'`,
      );
      await leave(mia).expect(200);
      await fallDue(mia);
      await runErasure();
      await app.as(admin).get(`/users/${mia.id}`).expect(404);
      await app.observer.query('DROP TRIGGER stick ON users');
      await app.database.query(`UPDATE users SET erasure_at = NULL WHERE name = 'Stuck'`);
    });

    it('that an administrator closes can be reopened only by an administrator', async () => {
      await remove(mia).expect(200);
      await app.as(mia).get('/auth/whoami').expect(401);
      await signIn(mia).expect(401);
      await app.as(admin).patch(`/users/${mia.id}`).send({ status: 'active' }).expect(200);
      await signIn(mia).expect(200);
      await fallDue(mia).catch(() => undefined);
      await runErasure();
      expect(await statusOf(mia)).toBe('active');
    });

    it('is deleted if If-Match matches its revision, regardless of those of the archived containers', async () => {
      const [riverside, garden] = [await app.organization(mia), await app.endeavour(mia)];
      await app.as(mia).patch('/auth/profile').send({ lang: 'de' }).expect(200);
      await remove(mia).set('If-Match', '"1"').expect(412);
      await remove(mia, '?erase=now').set('If-Match', '"2"').expect(200);
      for (const path of [`/organizations/${riverside}`, `/endeavours/${garden}`]) {
        expect((await app.as(admin).get(path).expect(200)).body.data.status).toBe('archived');
      }
    });

    it('has an address that can be used again after it is erased', async () => {
      await remove(mia, '?erase=now').expect(200);
      await remove(mia, '?erase=now').expect(404);
      await app.as(admin).post('/users').send({ name: 'Other', email: mia.email }).expect(201);
    });

    it('of the last administrator cannot be deleted', async () => {
      const alone = await TestApp.open();
      const [only, other] = [await alone.admin(), await alone.admin()];
      await alone.as(only).delete(`/users/${other.id}`).expect(200);
      const { body } = await alone.as(only).delete(`/users/${only.id}`).expect(409);
      expect(body.error.details.reason).toBe('last_admin');
      await alone.close();
    });

    it('is not deleted if the parameters are invalid', async () => {
      await remove(mia, '?erase=later').expect(400);
      await remove(mia, '?erased=now').expect(400);
      expect(await statusOf(mia)).toBe('active');
    });
  });

  describe('a container', () => {
    it('gets the owner that its last owner names; the error lists missing ones', async () => {
      const riverside = await app.organization(mia);
      const garden = await app.endeavour(mia);
      const inside = await app.endeavour(mia, { organization_id: riverside });
      for (const container of [riverside, garden, inside]) await app.join(container, ann, 'member');
      const { body } = await leave(mia).expect(409);
      expect(body.error.details.reason).toBe('last_owner');
      expect(body.error.details.missing.map(({ id }: { id: string }) => id).sort()).toEqual([garden, riverside].sort());
      await app.as(mia).get('/auth/whoami').expect(200);
      await leave(mia, { heirs: { [riverside]: ann.id } }).expect(409);
      const stranger = await app.person('Stranger');
      for (const heirs of [{ [riverside]: stranger.id }, { [riverside]: 'usr_x' }, { [mia.id]: ann.id }, 'ann']) {
        await leave(mia, { heirs }).expect(400);
      }
      expect((await remove(mia).expect(409)).body.error.details.reason).toBe('last_owner');
      await leave(mia, { heirs: { [riverside]: ann.id, [garden]: ann.id } }).expect(200);
      for (const path of [`/organizations/${riverside}`, `/endeavours/${garden}`, `/endeavours/${inside}`]) {
        expect((await app.as(ann).get(path).expect(200)).body.data).toMatchObject({
          my_role: 'owner',
          status: 'active',
        });
      }
    });

    it('without other members is archived', async () => {
      const riverside = await app.organization(mia);
      const inside = await app.endeavour(mia, { organization_id: riverside });
      const garden = await app.endeavour(mia);
      const work = await app.task(mia, garden);
      await leave(mia).expect(200);
      for (const path of [`/organizations/${riverside}`, `/endeavours/${inside}`, `/endeavours/${garden}`]) {
        expect((await app.as(admin).get(path).expect(200)).body.data.status).toBe('archived');
      }
      expect((await app.as(admin).get(`/tasks/${work}`).expect(200)).body.data.status).toBe('canceled');
    });

    it('is not archived while others work in an endeavour whose home it is', async () => {
      const riverside = await app.organization(mia);
      const inside = await app.endeavour(mia, { organization_id: riverside });
      await app.join(inside, ann, 'member');
      const work = await app.task(ann, inside);
      for (const closing of [leave(mia), remove(mia)]) {
        const { body } = await closing.expect(409);
        expect(body.error.details).toMatchObject({ reason: 'last_owner', missing: [{ id: riverside }] });
      }
      await app.as(mia).delete(`/organizations/${riverside}/endeavours/${inside}`).expect(200);
      await leave(mia, { heirs: { [inside]: ann.id } }).expect(200);
      expect((await app.as(ann).get(`/tasks/${work}`).expect(200)).body.data.status).toBe('planned');
      expect((await app.as(admin).get(`/organizations/${riverside}`).expect(200)).body.data.status).toBe('archived');
    });

    it('is archived if its endeavours with other members are archived', async () => {
      const riverside = await app.organization(mia);
      const inside = await app.endeavour(mia, { organization_id: riverside });
      await app.join(inside, ann, 'member');
      await app.as(mia).post(`/endeavours/${inside}/archive`).send({ reason: 'Over' }).expect(200);
      await leave(mia).expect(200);
      expect((await app.as(admin).get(`/organizations/${riverside}`).expect(200)).body.data.status).toBe('archived');
    });

    const agentIn = async (organization_id: string, role = 'owner'): Promise<string> => {
      const { body } = await app.as(mia).post('/agents').send({ name: 'Triage', organization_id }).expect(201);
      const path = `/organizations/${organization_id}/members/${body.data.id}`;
      await app.as(mia).patch(path).send({ role }).expect(200);
      return body.data.id;
    };

    it('is not left to an agent that is also an owner', async () => {
      const riverside = await app.organization(mia);
      const agent = await agentIn(riverside);
      await app.join(riverside, ann, 'member');
      const { body } = await leave(mia).expect(409);
      expect(body.error.details).toMatchObject({ reason: 'last_owner', missing: [{ id: riverside }] });
      await leave(mia, { heirs: { [riverside]: agent } }).expect(400);
      await leave(mia, { heirs: { [riverside]: ann.id } }).expect(200);
    });

    it('without other human members is archived', async () => {
      const riverside = await app.organization(mia);
      await agentIn(riverside);
      await agentIn(riverside, 'member');
      await leave(mia).expect(200);
      const { body } = await app.as(admin).get(`/organizations/${riverside}`).expect(200);
      expect(body.data.status).toBe('archived');
    });

    it('keeps an owner when two owners leave at once', async () => {
      const zoe = await withPassword('Zoe');
      const riverside = await app.organization(mia);
      await app.join(riverside, zoe, 'owner');
      await app.join(riverside, ann, 'member');
      const responses = await Promise.all([leave(mia), leave(zoe)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
  });

  it('is rejected while a container is too large to archive with the account', async () => {
    const slow = await TestApp.open({ OPERATION_THRESHOLD: '0' });
    const max = await slow.person('Max', { passwordHash: await slow.service.hashPassword(PASSWORD) });
    const garden = await slow.endeavour(max);
    const { body } = await slow.as(max).post('/auth/delete-account').send({ current_password: PASSWORD }).expect(409);
    expect(body.error.details).toMatchObject({ reason: 'too_large', id: garden });
    await slow.as(max).get('/auth/whoami').expect(200);
    expect((await slow.as(max).get(`/endeavours/${garden}`).expect(200)).body.data.status).toBe('active');
    await slow.close();
  });

  it('is rejected while an operation is running on a container of the account', async () => {
    const max = await withPassword('Max');
    const garden = await app.endeavour(max);
    const operation = newId('operation');
    await app.database.query(
      `INSERT INTO operations (id, type, user_id, created_by, container_id) VALUES ($1, 'archives', $2, $3, $4)`,
      [operation, max.id, max.resourceId, garden],
    );
    await app.database.query('UPDATE endeavours SET closed_by = $2 WHERE id = $1', [garden, operation]);
    const { body } = await leave(max).expect(409);
    expect(body.error).toMatchObject({ code: 'in_progress', details: { operation_id: operation } });
    await app.as(max).get('/auth/whoami').expect(200);
    await app.database.query('UPDATE endeavours SET closed_by = NULL WHERE id = $1', [garden]);
    await leave(max).expect(200);
  });

  it('removes an erased person from all tables and exports, except for what they wrote', async () => {
    people += 1;
    const canary = `canaryofthegone${people}`;
    const gone = await withPassword(`${canary} Person`, {
      email: `${canary}@example.test`,
      externalId: `${canary}-external`,
      metadata: { note: `${canary} metadata` },
      timezone: 'Pacific/Chatham',
      lang: 'tlh',
    });
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, gone, 'member');
    await app.join(garden, gone, 'admin');
    const send = (person: Person, path: string, body: object) => app.as(person).post(path).send(body).expect(201);
    await app
      .as(null)
      .post('/auth/login')
      .set('User-Agent', `${canary} agent`)
      .send({ email: gone.email, password: PASSWORD });
    await app.as(null).post('/auth/forgot-password').send({ email: gone.email }).expect(200);
    await app.mail(gone.email);
    await app
      .as(gone)
      .post('/auth/email/change')
      .send({ new_email: `${canary}.new@example.test`, current_password: PASSWORD });
    await app
      .as(gone)
      .patch('/auth/profile')
      .send({ name: `${canary} Renamed` })
      .expect(200);
    await app
      .as(gone)
      .patch(`/resources/${gone.resourceId}`)
      .send({ skills: [`${canary} skill`] })
      .expect(200);
    await send(admin, '/invitations', { email: gone.email });
    await app
      .as(gone)
      .post('/tasks/bulk')
      .set('User-Agent', `${canary} agent`)
      .send({ filter: { endeavour_id: garden }, changes: { estimate: 1 } })
      .expect(202);
    const task = await app.task(gone, garden, { assignee_id: gone.resourceId, description: 'What they wrote' });
    await app
      .as(ann)
      .post('/tasks')
      .set('Idempotency-Key', canary)
      .send({ title: 'Kept', endeavour_id: garden, assignee_id: gone.id })
      .expect(201);
    const onTask = { entity_type: 'task', entity_id: task };
    await send(gone, '/comments', { ...onTask, content: 'Said by them' });
    await send(gone, '/approvals', { ...onTask, verdict: 'needs_work', comment: 'Thought by them' });
    const remembered = { query: { search: canary }, columns: [`metadata.${canary}`], group_by: `metadata.${canary}` };
    await send(gone, '/views', { name: `${canary} view`, kind: 'task', ...remembered });
    await send(gone, '/views', { name: 'View of theirs', kind: 'task', query: {}, endeavour_id: garden });
    await send(gone, '/messages', { recipient_ids: [ann.id], content: 'Sent by them' });
    await send(ann, '/messages', { recipient_ids: [gone.id], content: 'Sent to them' });
    const [bob, eve] = [await app.person('Bob'), await app.person('Eve')];
    await app.join(riverside, bob, 'member');
    await send(gone, `/endeavours/${garden}/members`, { user_id: bob.id });
    await app.join(await app.organization(eve), gone, 'guest');
    await send(gone, '/invitations', { user_id: eve.id, endeavour_id: garden });
    const team = await send(ann, '/resources', { name: 'Team', type: 'team', organization_id: riverside });
    await send(ann, `/resources/${team.body.data.id}/members`, { resource_id: gone.resourceId });
    expect((await columnsWith(canary)).length).toBeGreaterThan(5);

    await leave(gone).expect(200);
    await fallDue(gone);
    await runErasure();

    expect((await columnsWith(canary)).filter((column) => column !== 'idempotency_keys.key')).toEqual([]);
    expect(await columnsWith('Pacific/Chatham')).toEqual([]);
    expect(await app.database.query(`SELECT 1 FROM users WHERE lang = 'tlh'`)).toEqual([]);
    for (const path of [`/endeavours/${garden}/export`, `/organizations/${riverside}/export`]) {
      const { text } = await app.as(ann).get(path).expect(200);
      expect(text).not.toContain(canary);
      for (const kept of ['What they wrote', 'Said by them', 'Thought by them', 'Deleted user']) {
        expect(text).toContain(kept);
      }
    }
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data).toMatchObject({ creator_name: 'Deleted user', assignee_name: 'Deleted user' });
    const { body: members } = await app.as(ann).get(`/endeavours/${garden}/members`).expect(200);
    expect(members.data.map(({ user_id }: { user_id: string }) => user_id)).not.toContain(gone.id);
    const { body: invited } = await app.as(eve).get('/messages').expect(200);
    expect(invited.data).toEqual([
      expect.objectContaining({ content: expect.stringMatching(/^Deleted user invites/) }),
    ]);
    const { body: inbox } = await app.as(ann).get('/messages').expect(200);
    expect(inbox.data).toContainEqual(
      expect.objectContaining({ sender_name: 'Deleted user', content: 'Sent by them' }),
    );
    const { body: views } = await app.as(ann).get(`/views?endeavour_id=${garden}`).expect(200);
    expect(views.data).toEqual([
      expect.objectContaining({ name: 'View of theirs', created_by: gone.resourceId, revision: 1 }),
    ]);
    expect(await app.count(`watches WHERE resource_id = '${gone.resourceId}'`)).toBe(0);
  });
});
