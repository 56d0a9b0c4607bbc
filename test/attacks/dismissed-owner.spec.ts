import { createEntityFixtures, type EntityFixtures } from '../access/references/entity-fixtures.js';
import { canaryReads } from '../support/canaries.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const CANARY = 'Zebra';
const RENAMED = {
  organization: ['organizations', 'name'],
  endeavour: ['endeavours', 'name'],
  task: ['tasks', 'title'],
  demand: ['demands', 'title'],
  artifact: ['artifacts', 'title'],
  ritual: ['rituals', 'name'],
  template: ['templates', 'name'],
  dod_policy: ['dod-policies', 'name'],
  resource: ['resources', 'name'],
} as const;
/** A removed owner of an organization tries every credential that they still have. */
describe('a dismissed owner', () => {
  let app: TestApp;
  let held: EntityFixtures;
  let max: Person;
  const holders: Record<string, Person> = {};
  let calendar: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    held = await createEntityFixtures(app, 'Ann');
    const { organization: organization_id, endeavour: endeavour_id, task } = held.things;
    max = await app.person('Max');
    await app.join(organization_id, max, 'owner');
    await app.join(endeavour_id, max, 'admin');
    await app.as(held.owner).patch(`/tasks/${task}`).send({ assignee_id: max.id }).expect(200);
    const agent = await app.as(max).post('/agents').send({ name: 'Mole', organization_id }).expect(201);
    const sent = { name: 'Main', scopes: ['*'] };
    const made = await app.as(max).post(`/agents/${agent.body.data.id}/tokens`).send(sent).expect(201);
    holders.session = max;
    holders.token = await tokenOf(app, max);
    holders['token for the organization'] = await tokenOf(app, max, { organization_id });
    holders['token for the endeavour'] = await tokenOf(app, max, { endeavour_id });
    holders['token of an agent'] = { ...max, token: made.body.data.token };
    const other = await app.as(max).post(`/agents/${held.agent}/tokens`).send(sent).expect(201);
    holders['token of an agent of others'] = { ...max, token: other.body.data.token };
    const dates = await app.as(max).post('/auth/tokens').send({ kind: 'calendar', endeavour_id }).expect(201);
    calendar = `/endeavours/${endeavour_id}/calendar.ics?token=${dates.body.data.token}`;
    await app.as(null).get(calendar).expect(200);
    await app.as(held.owner).delete(`/organizations/${organization_id}/members/${max.id}`).expect(200);
    for (const [kind, [path, field]] of Object.entries(RENAMED)) {
      const id = held.things[kind as keyof typeof RENAMED];
      await app
        .as(held.owner)
        .patch(`/${path}/${id}`)
        .send({ [field]: `${CANARY} ${kind}` })
        .expect(200);
    }
  });
  afterAll(() => app.close());

  const HOLDERS = [
    'session',
    'token',
    'token for the organization',
    'token for the endeavour',
    'token of an agent',
    'token of an agent of others',
  ] as const;

  it.each(HOLDERS)('reads nothing that happened since the removal, with a %s', async (name) => {
    expect(await canaryReads(app, holders[name], CANARY)).toEqual([]);
  });

  it.each(HOLDERS)('neither reads nor changes entities by id, with a %s', async (name) => {
    const person = holders[name];
    for (const [kind, [path, field]] of Object.entries(RENAMED)) {
      const url = `/${path}/${held.things[kind as keyof typeof RENAMED]}`;
      const read = await app.as(person).get(url);
      const written = await app
        .as(person)
        .patch(url)
        .send({ [field]: 'Mine' });
      expect([kind, read.text.includes(CANARY), written.status >= 400]).toEqual([kind, false, true]);
    }
  });

  it('has no access to the calendar, audit log, operations and export of the organization', async () => {
    await app.as(null).get(calendar).expect(401);
    const { organization } = held.things;
    for (const path of [`/audit?organization_id=${organization}`, `/operations?container_id=${organization}`]) {
      expect((await app.as(max).get(path).expect(200)).body.data).toEqual([]);
    }
    await app.as(max).get(`/organizations/${organization}/export`).expect(404);
    const summary = await app.as(max).get(`/activity/summary?organization_id=${organization}`).expect(200);
    expect(summary.body.data).toEqual([]);
  });
});
