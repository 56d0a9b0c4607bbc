import { Agreement } from '../support/dod.js';
import type { Person, TestApp } from '../support/test-app.js';

const REVIEW = { type: 'peer_review' };
const SIGN_OFF = { type: 'stakeholder_sign_off', params: { role: 'qa' } };

/** What becomes of a rejection when its giver, its task or the author who took something away changes. */
describe('a rejection of a task', () => {
  let agreed: Agreement;
  let app: TestApp;
  let [ada, ann, bob, cat, dia, eve]: Person[] = [];

  beforeAll(async () => {
    agreed = await Agreement.open();
    ({ app, ada, ann, bob } = agreed);
    [cat, dia, eve] = [await app.person('Cat'), await app.person('Dia'), await app.person('Eve')];
  });
  afterAll(() => app.close());

  const say = (id: string, person: Person, verdict = 'approved', more: object = {}) =>
    app
      .as(person)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: id, verdict, ...more });
  const verdict = async (id: string): Promise<string> => (await agreed.check(id)).result;
  const member = (garden: string, person: Person): string => `/endeavours/${garden}/members/${person.id}`;
  const remove = (garden: string, person: Person, by: Person) => app.as(by).delete(member(garden, person)).expect(200);

  /** An endeavour of Ann's in which Bob, Cat and Eve are members, and Dia is an admin. */
  async function bound(...conditions: object[]): Promise<string> {
    const garden = await agreed.bound(...conditions);
    for (const person of [cat, eve]) await app.join(garden, person, 'member', ['qa']);
    await app.join(garden, dia, 'admin');
    return garden;
  }

  /** A task that Bob approves and Cat rejects. */
  async function rejected(garden: string): Promise<string> {
    const id = await agreed.active(garden);
    await say(id, cat, 'rejected').expect(201);
    await say(id, bob).expect(201);
    return id;
  }

  describe('by a move of the task', () => {
    it('is not left behind where its giver is a member', async () => {
      const [garden, shed] = [await bound(REVIEW), await agreed.bound(REVIEW)];
      const id = await rejected(garden);
      await agreed.patch(id, { endeavour_id: shed }).expect(200);
      expect(await verdict(id)).toBe('not_met');
      await agreed.done(id).expect(409);
      await agreed.patch(id, { endeavour_id: garden }).expect(200);
      await say(id, cat).expect(201);
      await agreed.patch(id, { endeavour_id: shed }).expect(200);
      expect(await verdict(id)).toBe('met');
    });

    it('is lifted when its giver leaves the endeavour in which it was given, and only that', async () => {
      const [garden, shed] = [await bound(REVIEW), await bound(REVIEW)];
      const id = await rejected(garden);
      await agreed.patch(id, { endeavour_id: shed }).expect(200);
      await remove(shed, cat, dia);
      expect(await verdict(id)).toBe('not_met');
      await remove(garden, cat, dia);
      expect(await verdict(id)).toBe('met');
    });

    it('is not left behind as an objection to a sign-off', async () => {
      const [garden, shed] = [await bound(SIGN_OFF), await agreed.bound(SIGN_OFF)];
      await app.join(shed, eve, 'member', ['qa']);
      const id = await agreed.active(garden);
      await say(id, cat, 'needs_work').expect(201);
      await agreed.patch(id, { endeavour_id: shed }).expect(200);
      await say(id, eve, 'approved', { role: 'qa' }).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });
  });

  it('that was lifted does not come back with its giver, who can give it again', async () => {
    const garden = await bound(REVIEW);
    const id = await rejected(garden);
    await remove(garden, cat, dia);
    await app.join(garden, cat, 'member');
    const { result, conditions } = await agreed.check(id);
    expect(result).toBe('met');
    expect(conditions[0].detail).toMatch(/; rejection apr_\w+ ended with the membership of res_\w+$/);
    await say(id, cat, 'rejected').expect(201);
    expect(await verdict(id)).toBe('not_met');
    await say(id, cat, 'rejected').expect(409);
  });

  it('of which its giver insists after it was kept or dismissed can be given again', async () => {
    const garden = await bound(REVIEW);
    const id = await agreed.active(garden);
    await say(id, bob).expect(201);
    const { body } = await say(id, cat, 'rejected').expect(201);
    await app.as(dia).post(`/approvals/${body.data.id}/dismiss`).send({ reason: 'Mistaken' }).expect(200);
    expect(await verdict(id)).toBe('met');
    await say(id, cat, 'rejected').expect(201);
    expect(await verdict(id)).toBe('not_met');
    await remove(garden, cat, ann);
    await app.join(garden, cat, 'member');
    await say(id, cat, 'rejected').expect(201);
    expect(await verdict(id)).toBe('not_met');
  });

  it('that is given again with fewer rights counts as before', async () => {
    const garden = await bound(REVIEW);
    await app.join(garden, ada, 'member');
    const id = await agreed.active(garden);
    await say(id, bob).expect(201);
    await say(id, ada, 'rejected').expect(201);
    await remove(garden, ada, ann);
    await say(id, ada, 'rejected').expect(201);
    expect(await verdict(id)).toBe('not_met');
    await say(id, ada).expect(201);
    expect(await verdict(id)).toBe('met');
  });

  it('of a person stays if an administrator makes the account one of an agent', async () => {
    const garden = await bound({ type: 'peer_review', params: { user_type: 'human' } });
    const fay = await app.person('Fay');
    await app.join(garden, fay, 'member');
    const id = await agreed.active(garden);
    await say(id, bob).expect(201);
    await say(id, fay, 'rejected').expect(201);
    await app.as(ada).patch(`/users/${fay.id}`).send({ user_type: 'agent' }).expect(200);
    expect(await verdict(id)).toBe('not_met');
    await agreed.patch(id, { title: 'Oil the gate' }).expect(200);
    await say(id, bob).expect(201);
    await say(id, fay, 'rejected').expect(201);
    expect(await verdict(id)).toBe('not_met');
  });

  it('is kept by a removal and a return in one transaction, and lifted by a removal', async () => {
    const garden = await bound(REVIEW);
    const id = await rejected(garden);
    const connection = await app.openConnection();
    const values = [garden, cat.id];
    await connection.query('BEGIN');
    await connection.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', values);
    await connection.query(
      `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role)
       SELECT $1, id, resource_id, 'member' FROM users WHERE id = $2`,
      values,
    );
    await connection.query('COMMIT');
    await connection.end();
    expect(await verdict(id)).toBe('not_met');
    await remove(garden, cat, dia);
    expect(await verdict(id)).toBe('met');
  });

  describe('whose giver is removed by the author of that time', () => {
    /** Dia takes the giver's membership away while she is the last author of the content, and Eve is the last later. */
    async function taken(take: (garden: string) => unknown, more: object = {}): Promise<string> {
      const garden = await bound(REVIEW);
      const id = await agreed.active(garden, more);
      await say(id, cat, 'rejected').expect(201);
      await agreed.patch(id, { title: 'Paint the fence' }, dia).expect(200);
      await take(garden);
      await agreed.patch(id, { title: 'Paint the gate' }, eve).expect(200);
      await say(id, bob).expect(201);
      return id;
    }

    it.each<[string, (garden: string) => unknown]>([
      ['directly', (garden) => remove(garden, cat, dia)],
      [
        'by the relation that is the membership',
        async (garden) => {
          const path = `/relations?structural=true&entity_type=resource&entity_id=${cat.resourceId}`;
          const { body } = await app.as(dia).get(path).expect(200);
          const [membership] = (body.data as { id: string; target_entity_id: string }[]).filter(
            (each) => each.target_entity_id === garden,
          );
          await app.as(dia).delete(`/relations/${membership.id}`).expect(200);
        },
      ],
      [
        'in a batch',
        async (garden) => {
          const operations = [{ id: 'a', method: 'DELETE', path: `/api/v1${member(garden, cat)}` }];
          await app.as(dia).post('/batch').send({ operations }).expect(200);
        },
      ],
    ])('stays: %s', async (_, take) => {
      expect(await verdict(await taken(take))).toBe('not_met');
    });

    it('is lifted if that person was no author then, and is one later', async () => {
      const garden = await bound(REVIEW);
      const id = await rejected(garden);
      await remove(garden, cat, dia);
      await agreed.patch(id, { title: 'Oil the gate' }, dia).expect(200);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('met');
    });

    it.each([
      ['stays', true, 'not_met'],
      ['is lifted', false, 'met'],
    ])(
      '%s if their account is closed and erased by an administrator who is an author: %s',
      async (_, isAuthor, met) => {
        const garden = await bound(REVIEW);
        const fay = await app.person('Fay');
        await app.join(garden, fay, 'member');
        await app.join(garden, ada, 'member');
        const id = await agreed.active(garden);
        await say(id, fay, 'rejected').expect(201);
        await agreed.patch(id, { title: 'Paint the fence' }, isAuthor ? ada : dia).expect(200);
        await app.as(ada).delete(`/users/${fay.id}?erase=now`).expect(200);
        await agreed.patch(id, { title: 'Paint the gate' }, eve).expect(200);
        await say(id, bob).expect(201);
        expect(await verdict(id)).toBe(met);
      },
    );

    it('of an agent stays if an author hands the agent over to someone who is not a member', async () => {
      const organization_id = await app.organization(dia);
      await app.join(organization_id, eve, 'owner');
      const { body } = await app.as(eve).post('/agents').send({ name: 'Bot', organization_id }).expect(201);
      const sent = { name: 'Work', scopes: ['*'] };
      const made = await app.as(eve).post(`/agents/${body.data.id}/tokens`).send(sent).expect(201);
      const bot = { ...eve, id: body.data.id, resourceId: body.data.resource_id, token: made.body.data.token };
      const garden = await bound(REVIEW);
      await app.join(garden, bot, 'member');
      const id = await agreed.active(garden);
      await say(id, bot, 'rejected').expect(201);
      await agreed.patch(id, { title: 'Paint the fence' }, dia).expect(200);
      const fay = await app.person('Fay');
      await app.join(organization_id, fay, 'owner');
      await app.database.query(
        `UPDATE organization_resources SET joined_at = joined_at - interval '1 day' WHERE organization_id = $1 AND user_id = $2`,
        [organization_id, fay.id],
      );
      await app
        .as(dia)
        .patch(`/organizations/${organization_id}/members/${eve.id}`)
        .send({ role: 'member' })
        .expect(200);
      await agreed.patch(id, { title: 'Paint the gate' }, cat).expect(200);
      await say(id, bob).expect(201);
      expect(await verdict(id)).toBe('not_met');
    });
  });

  it('does not end with an edge that the author of that time deleted', async () => {
    const garden = await bound({ type: 'children_closed' }, { type: 'not_blocked' });
    const id = await agreed.active(garden);
    const related = async (relationship_type: string): Promise<string> => {
      const other = await app.task(ann, garden);
      const ends = {
        source_entity_type: 'task',
        source_entity_id: id,
        target_entity_type: 'task',
        target_entity_id: other,
      };
      return (
        await app
          .as(ann)
          .post('/relations')
          .send({ relationship_type, ...ends })
          .expect(201)
      ).body.data.id;
    };
    const edges = [await related('parent_of'), await related('depends_on')];
    await agreed.patch(id, { title: 'Paint the fence' }, dia).expect(200);
    for (const edge of edges) await app.as(dia).delete(`/relations/${edge}`).expect(200);
    await agreed.patch(id, { title: 'Paint the gate' }, eve).expect(200);
    const { conditions } = await agreed.check(id);
    expect(conditions.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed']);
  });

  describe('from whose giver a role is taken', () => {
    it.each([
      ['stays in the way of a sign-off if an author takes it', 'rejected', () => ann, 'not_met'],
      ['stays in the way of a sign-off if an author takes it', 'needs_work', () => ann, 'not_met'],
      ['does not if somebody else takes it', 'rejected', () => dia, 'met'],
      ['does not if somebody else takes it', 'needs_work', () => dia, 'met'],
    ] as const)('%s: %s', async (_, said, taker, met) => {
      const garden = await bound(SIGN_OFF);
      const id = await agreed.active(garden);
      await say(id, cat, said).expect(201);
      await say(id, eve, 'approved', { role: 'qa' }).expect(201);
      expect(await verdict(id)).toBe('not_met');
      await app.as(taker()).patch(member(garden, cat)).send({ stakeholder_roles: [] }).expect(200);
      expect(await verdict(id)).toBe(met);
      // Another change, by another person, does not take the role.
      await app.as(dia).patch(member(garden, cat)).send({ role: 'viewer' }).expect(200);
      expect(await verdict(id)).toBe(met);
    });

    it('still counts for the role when it is given again without it, until it is an approval', async () => {
      const garden = await bound(SIGN_OFF);
      const id = await agreed.active(garden);
      await say(id, cat, 'rejected', { role: 'qa' }).expect(201);
      await say(id, eve, 'approved', { role: 'qa' }).expect(201);
      await app.as(ann).patch(member(garden, cat)).send({ stakeholder_roles: [] }).expect(200);
      await say(id, cat, 'rejected').expect(201);
      expect(await verdict(id)).toBe('not_met');
      await say(id, cat).expect(201);
      expect(await verdict(id)).toBe('met');
    });

    it('no longer counts if another person takes a role that was given back', async () => {
      const garden = await bound(SIGN_OFF);
      const id = await agreed.active(garden);
      await say(id, cat, 'needs_work').expect(201);
      await say(id, eve, 'approved', { role: 'qa' }).expect(201);
      const roles = (by: Person, stakeholder_roles: string[]) =>
        app.as(by).patch(member(garden, cat)).send({ stakeholder_roles }).expect(200);
      await roles(ann, []);
      await roles(ann, ['qa']);
      expect(await verdict(id)).toBe('not_met');
      await roles(dia, []);
      expect(await verdict(id)).toBe('met');
    });

    it('stays if it is the role of an admin, and the author is an owner', async () => {
      const garden = await bound({ type: 'stakeholder_sign_off', params: { role: 'admin' } });
      await app.as(ann).patch(member(garden, bob)).send({ role: 'admin' }).expect(200);
      const id = await agreed.active(garden);
      await say(id, bob, 'rejected').expect(201);
      await say(id, dia, 'approved', { role: 'admin' }).expect(201);
      await app.as(ann).patch(member(garden, bob)).send({ role: 'member' }).expect(200);
      expect(await verdict(id)).toBe('not_met');
    });
  });
});
