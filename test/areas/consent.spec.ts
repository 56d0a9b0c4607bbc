import { TestApp, type Person } from '../support/test-app.js';

describe('consent', () => {
  let app: TestApp;
  let ann: Person;
  let admin: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    admin = await app.admin();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
  });

  afterAll(() => app.close());

  const add = (by: Person, container: string, person: Person, more: object = {}) => {
    const path = container.startsWith('org_') ? 'organizations' : 'endeavours';
    return app
      .as(by)
      .post(`/${path}/${container}/members`)
      .send({ user_id: person.id, ...more });
  };
  const expectInvitation = ({ body }: { body: { error: { code: string; details: { reason: string } } } }) =>
    expect([body.error.code, body.error.details.reason]).toEqual(['forbidden', 'invitation_required']);
  const inbox = async (person: Person) => {
    const { body } = await app.as(person).get('/messages').expect(200);
    return body.data.map(({ content, entity_id }: { content: string; entity_id: string }) => ({ content, entity_id }));
  };

  it('is required before a user who adds a person to a new endeavour sees the e-mail address', async () => {
    const [owner, vic] = [await app.person('Owner'), await app.person('Vic')];
    const company = await app.organization(owner);
    const garden = await app.endeavour(owner, { organization_id: company });
    await app.join(garden, vic, 'viewer');
    const trap = await app.endeavour(vic);
    expectInvitation(await add(vic, trap, owner).expect(403));
    const sent = { endeavour_id: trap };
    expectInvitation(await app.as(vic).post(`/users/${owner.id}/endeavours`).send(sent).expect(403));
    const { body } = await app.as(vic).get(`/endeavours/${garden}/members`).expect(200);
    const emails = body.data.map(({ user_id, email }: { user_id: string; email: string | null }) => [user_id, email]);
    expect(emails).toEqual([
      [owner.id, null],
      [vic.id, vic.email],
    ]);
    const task = { title: 'PAY INVOICE', endeavour_id: trap, assignee_id: owner.id };
    await app.as(vic).post('/tasks').send(task).expect(400);
  });

  it('is required to add a user to an organization, unless an administrator does it', async () => {
    const [riverside, garden] = [await app.organization(ann), await app.endeavour(ann)];
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    expectInvitation(await add(ann, riverside, mia).expect(403));
    const resources = `/organizations/${riverside}/resources`;
    expectInvitation(await app.as(ann).post(resources).send({ resource_id: mia.resourceId }).expect(403));
    await add(admin, riverside, mia).expect(201);
    expect((await add(ann, riverside, mia, { role: 'guest' }).expect(201)).body.data.role).toBe('guest');
  });

  it('is implied by membership of the home of an endeavour', async () => {
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const [mia, pat] = [await app.person('Mia'), await app.person('Pat')];
    const partner = await app.organization(pat);
    await app.join(riverside, mia, 'member');
    await app.link(partner, garden);
    await add(ann, garden, mia, { role: 'admin' }).expect(201);
    expectInvitation(await add(ann, garden, pat).expect(403));
    expect(await inbox(mia)).toEqual([
      { content: 'Ann added you to the endeavour Garden as admin.', entity_id: garden },
    ]);
    await add(ann, garden, mia, { role: 'viewer' }).expect(201);
    expect(await inbox(mia)).toHaveLength(1);
  });

  it('in an endeavour without a home is implied up to member in organizations that the adder manages', async () => {
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann);
    const people: Record<string, Person> = {};
    for (const role of ['guest', 'member']) {
      people[role] = await app.person(role);
      await app.join(riverside, people[role], role);
    }
    expectInvitation(await add(ann, garden, people.guest).expect(403));
    expectInvitation(await add(ann, garden, people.member, { role: 'admin' }).expect(403));
    await add(ann, garden, people.member).expect(201);
    const bob = await app.person('Bob');
    await app.join(riverside, bob, 'member');
    const shed = await app.endeavour(bob);
    expectInvitation(await add(bob, shed, people.member).expect(403));
  });

  it('is required again for 30 days after a user leaves', async () => {
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    await add(ann, garden, mia).expect(201);
    await app.as(ann).delete(`/endeavours/${garden}/members/${mia.id}`).expect(200);
    await add(ann, garden, mia).expect(201);
    await app.as(mia).delete(`/endeavours/${garden}/members/${mia.id}`).expect(200);
    expectInvitation(await add(ann, garden, mia).expect(403));
    expectInvitation(await add(admin, garden, mia).expect(403));
    await app.database.query(`UPDATE departures SET left_at = left_at - interval '31 days'`);
    await add(ann, garden, mia).expect(201);
  });

  it('is checked after references and before If-Match', async () => {
    const riverside = await app.organization(ann);
    const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
    await app.join(await app.endeavour(ann), mia, 'member');
    await add(ann, riverside, eve).set('If-Match', '"9"').expect(400);
    expectInvitation(await add(ann, riverside, mia).set('If-Match', '"9"').expect(403));
  });

  it('is not checked for a role that the caller cannot grant', async () => {
    const [riverside, garden] = [await app.organization(ann), await app.endeavour(ann)];
    const [bob, mia] = [await app.person('Bob'), await app.person('Mia')];
    await app.join(await app.endeavour(bob), mia, 'member');
    for (const container of [riverside, garden]) {
      await app.join(container, bob, 'admin');
      const { body } = await add(bob, container, mia, { role: 'owner' }).expect(403);
      expect(body.error.details.required).toMatch(/^the owner role in this/);
      expectInvitation(await add(bob, container, mia, { role: 'admin' }).expect(403));
    }
    const sent = { endeavour_id: garden, role: 'owner' };
    const { body } = await app.as(bob).post(`/users/${mia.id}/endeavours`).send(sent).expect(403);
    expect(body.error.details.required).toBe('the owner role in this endeavour');
  });

  it('if implied, counts toward the hourly limit of additions, and not toward that of invitations', async () => {
    const riverside = await app.organization(ann);
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    const limited = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '1', LIMIT_ADDITIONS_PER_HOUR: '2' }, app);
    const gardens = [await app.endeavour(ann, { organization_id: riverside }), await app.endeavour(ann)];
    gardens.push(await app.endeavour(ann));
    const sent = { user_id: mia.id };
    await limited.as(ann).post(`/endeavours/${gardens[0]}/members`).send(sent).expect(201);
    await limited.as(ann).post(`/endeavours/${gardens[1]}/members`).send(sent).expect(201);
    const { body } = await limited.as(ann).post(`/endeavours/${gardens[2]}/members`).send(sent).expect(429);
    expect(body.error.details).toMatchObject({ limit: 'additions', setting: 'LIMIT_ADDITIONS_PER_HOUR' });
    await limited.close();
  });

  it('is required to add people from outside an organization to its teams', async () => {
    const riverside = await app.organization(ann);
    const [mia, pat] = [await app.person('Mia'), await app.person('Pat')];
    await app.join(await app.endeavour(ann, { organization_id: riverside }), pat, 'member');
    await app.join(riverside, mia, 'member');
    const made = await app
      .as(ann)
      .post('/resources')
      .send({ name: 'Crew', type: 'team', organization_id: riverside })
      .expect(201);
    const members = `/resources/${made.body.data.id}/members`;
    expectInvitation(await app.as(ann).post(members).send({ resource_id: pat.id }).expect(403));
    await app.as(ann).post(members).send({ resource_id: mia.id, role: 'lead' }).expect(201);
    expect(await inbox(mia)).toEqual([
      { content: 'Ann added you to the team Crew as lead.', entity_id: made.body.data.id },
    ]);
  });

  it('is answered by POST /auth/can as by the operation itself, for every operation that adds people by id', async () => {
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: riverside });
    const [colleague, stranger] = [await app.person('Mia'), await app.person('Pat')];
    await app.join(riverside, colleague, 'member');
    await app.join(await app.endeavour(ann, { organization_id: riverside }), stranger, 'member');
    const team = { name: 'Crew', type: 'team', organization_id: riverside };
    const crew = (await app.as(ann).post('/resources').send(team).expect(201)).body.data.id;
    const membership = (person: Person, target: string, type: string) => ({
      source_entity_type: 'resource',
      source_entity_id: person.resourceId,
      target_entity_type: target.startsWith('org_') ? 'organization' : target === crew ? 'resource' : 'endeavour',
      target_entity_id: target,
      relation_type: type,
    });
    const operations = (person: Person): [action: string, id: string | undefined, path: string, body: object][] => [
      ['organizations_members_add', riverside, `/organizations/${riverside}/members`, { user_id: person.id }],
      [
        'organizations_resources_add',
        riverside,
        `/organizations/${riverside}/resources`,
        { resource_id: person.resourceId },
      ],
      ['resources_members_add', crew, `/resources/${crew}/members`, { resource_id: person.resourceId }],
      ['endeavours_members_add', garden, `/endeavours/${garden}/members`, { user_id: person.id }],
      ['users_endeavours_add', person.id, `/users/${person.id}/endeavours`, { endeavour_id: garden }],
      ['relations_create', undefined, '/relations', membership(person, garden, 'participates_in')],
      ['relations_create', undefined, '/relations', membership(person, riverside, 'member_of')],
      ['relations_create', undefined, '/relations', membership(person, crew, 'member_of')],
    ];
    const answers: unknown[] = [];
    for (const person of [colleague, stranger]) {
      for (const [action, entity_id, path, body] of operations(person)) {
        const questions = [{ action, entity_id, body }];
        const asked = await app.as(ann).post('/auth/can').send({ questions }).expect(200);
        const [{ allowed, reasons }] = asked.body.data;
        const real = await app.as(ann).post(path).send(body);
        const refusal = real.body.error;
        answers.push([person.name, action, allowed]);
        expect([action, allowed]).toEqual([action, real.status < 400]);
        const reason = refusal?.details?.reason ?? null;
        const expected = refusal === undefined ? [] : [{ code: refusal.code, reason, message: refusal.message }];
        expect(reasons).toEqual(expected);
      }
    }
    expect(answers.filter((answer) => (answer as unknown[])[0] === 'Pat' && (answer as unknown[])[2] === true)).toEqual(
      [],
    );
  });

  it('lets only admins find members of an organization by e-mail', async () => {
    const riverside = await app.organization(ann);
    const mia = await app.person('Mia');
    await app.join(riverside, mia, 'member');
    const found = async (by: Person, query: string) => {
      const { body } = await app.as(by).get(`/organizations/${riverside}/members?${query}`).expect(200);
      return body.data.map(({ name }: { name: string }) => name);
    };
    expect(await found(ann, `search=${mia.email}`)).toEqual(['Mia']);
    expect(await found(mia, `search=${ann.email}`)).toEqual([]);
    expect(await found(mia, `search=${mia.email}`)).toEqual(['Mia']);
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [mia.id]);
    expect(await found(ann, 'status=active')).toEqual(['Ann']);
    expect(await found(ann, 'status=suspended')).toEqual(['Mia']);
  });
});
