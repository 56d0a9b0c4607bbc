import { StreamReader } from '../support/stream-reader.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** Streams opened with restricted tokens or by agents, in parallel with streams that see more. */
describe('a restricted stream', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let shed: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });
  beforeEach(async () => {
    ann = await app.person('Ann');
    [garden, shed] = [await app.endeavour(ann), await app.endeavour(ann)];
  });
  afterAll(() => app.close());

  const open = async (person: Person, query = ''): Promise<StreamReader> => {
    const stream = new StreamReader(app.port(), person, query);
    await stream.until(() => stream.text.includes('retry'));
    return stream;
  };
  const idsOf = ({ events }: StreamReader): string[] => events.map(({ entity_id }) => entity_id);
  const says = (stream: StreamReader, id: string) => stream.until(() => idsOf(stream).includes(id));

  it('does not block the streams of other users that are opened after it', async () => {
    const bound = await open(await tokenOf(app, ann, { endeavour_id: garden }));
    const ben = await app.person('Ben');
    const others = await open(ben);
    const cellar = await app.endeavour(ben);
    await others.until(() => others.text.includes(cellar) || others.text.includes(':\n'));
    // A stream without events sends only a heartbeat every 15 seconds.
    expect(idsOf(others)).toContain(cellar);
    for (const stream of [bound, others]) stream.close();
  });

  it('shows no events of other endeavours while an unrestricted stream is open', async () => {
    const all = await open(ann, 'type=task.*');
    const bound = await open(await tokenOf(app, ann, { endeavour_id: garden }), 'type=task.*');
    const elsewhere = await app.task(ann, shed);
    const here = await app.task(ann, garden);
    await says(all, elsewhere);
    await says(bound, here);
    expect(idsOf(bound)).toEqual([here]);
    for (const stream of [all, bound]) stream.close();
  });

  describe('of an agent', () => {
    let organization: string;
    let mia: Person;
    let agent: Person;

    beforeEach(async () => {
      organization = await app.organization(ann);
      mia = await app.person('Mia');
      await app.join(organization, mia, 'admin');
      const sent = { name: 'Triage', organization_id: organization };
      const { body } = await app.as(mia).post('/agents').send(sent).expect(201);
      const path = `/agents/${body.data.id}/tokens`;
      const made = await app
        .as(ann)
        .post(path)
        .send({ name: 'Main', scopes: ['*'] })
        .expect(201);
      agent = { ...ann, id: body.data.id, resourceId: body.data.resource_id, token: made.body.data.token };
    });

    it('ends when its manager is suspended', async () => {
      const stream = await open(agent);
      const ada = await app.admin();
      await app.as(ada).patch(`/users/${mia.id}`).send({ status: 'suspended' }).expect(200);
      await stream.until(() => stream.hasEnded);
    });

    it('ends when the manager changes, because all tokens of the agent end', async () => {
      const [cellar, attic] = [await app.endeavour(mia), await app.endeavour(ann)];
      const orchard = await app.endeavour(ann, { organization_id: organization });
      for (const place of [cellar, attic]) await app.join(place, agent, 'member');
      const stream = await open(agent, 'type=task.*');
      // Ann does not manage the agent yet, so the token that she created is restricted to the organization.
      const hidden = [await app.task(mia, cellar), await app.task(ann, attic)];
      await says(stream, await app.task(ann, orchard));
      await app.as(ann).patch(`/organizations/${organization}/members/${mia.id}`).send({ role: 'member' }).expect(200);
      await stream.until(() => stream.hasEnded);
      for (const id of hidden) expect(idsOf(stream)).not.toContain(id);
    });
  });
});
