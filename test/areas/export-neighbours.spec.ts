import { TestApp, type Person } from '../support/test-app.js';

type Row = Record<string, unknown>;
type Document = Record<string, Row[]>;

const CANARY = 'CanaryOfTheNeighbour';
const canary = (text: string): string => `${CANARY} ${text}`;

describe('an export with a neighbouring tenant', () => {
  let app: TestApp;
  let ann: Person;
  let eve: Person;
  let riverside: string;
  let garden: string;
  let foreign: string;
  let theirs: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
    foreign = await app.organization(eve, { name: canary('organization') });
    theirs = await app.endeavour(eve, { name: canary('endeavour'), organization_id: foreign });
  });

  afterAll(() => app.close());

  const exported = async (id: string, person = ann): Promise<{ text: string; document: Document }> => {
    const { text } = await app
      .as(person)
      .get(`/${id.startsWith('org') ? 'organizations' : 'endeavours'}/${id}/export`)
      .expect(200);
    return { text, document: JSON.parse(text) as Document };
  };
  const typesOf = ({ changes }: Document): unknown[] => changes.map(({ type }) => type);
  const relate = (person: Person, source: string, target: string) => {
    const kinds: Record<string, string> = { tsk: 'task', dmd: 'demand', edv: 'endeavour', tpl: 'template' };
    return app
      .as(person)
      .post('/relations')
      .send({
        relationship_type: 'relates_to',
        source_entity_type: kinds[source.slice(0, 3)],
        source_entity_id: source,
        target_entity_type: kinds[target.slice(0, 3)],
        target_entity_id: target,
      });
  };

  /** Creates a user who is an admin of both endeavours. */
  async function between(): Promise<Person> {
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'admin');
    await app.join(theirs, mia, 'admin');
    return mia;
  }

  it('shows nothing of the other tenant when a member of both relates their entities', async () => {
    const mia = await between();
    const [mine, other] = [await app.task(ann, garden), await app.task(eve, theirs, { title: canary('task') })];
    const second = await app.task(ann, garden, { title: 'Water the roses' });
    const kept = (await relate(mia, mine, second).expect(201)).body.data.id;
    const outward = (await relate(mia, mine, other).expect(201)).body.data.id;
    await relate(mia, other, mine).expect(201);
    await app.as(mia).delete(`/relations/${outward}`).expect(200);
    for (const id of [garden, riverside]) {
      const { text, document } = await exported(id);
      expect(document.relations.map(({ id: relation }) => relation)).toEqual([kept]);
      const about = document.changes.filter(({ entity_type }) => entity_type === 'relation');
      expect(about).toEqual([expect.objectContaining({ entity_id: kept, type: 'relation.created' })]);
      for (const secret of [CANARY, other, theirs, foreign]) expect(text).not.toContain(secret);
    }
  });

  it('is based on events without titles or ids of the other tenant', async () => {
    const mia = await between();
    const [mine, other] = [await app.task(ann, garden), await app.task(eve, theirs, { title: canary('task') })];
    const relation = (await relate(mia, mine, other).expect(201)).body.data.id;
    const goals = [{ title: 'Open', linked_entity_type: 'task', linked_entity_id: other }];
    await app.as(mia).patch(`/endeavours/${garden}`).send({ goals }).expect(200);
    await app.as(mia).patch(`/endeavours/${garden}`).send({ goals: [] }).expect(200);
    await app.link(foreign, garden);
    await app.as(mia).patch(`/endeavours/${garden}`).send({ description: 'Wild' }).expect(200);
    const rows = await app.database.query<{ body: string }>(
      `SELECT row_to_json(v)::text AS body FROM events v WHERE endeavour_id = $1 OR entity_id = $2`,
      [garden, relation],
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { body } of rows) for (const secret of [CANARY, other, foreign]) expect(body).not.toContain(secret);
  });

  it('contains none of the texts of the neighbour', async () => {
    const mia = await between();
    const send = (person: Person, path: string, body: object) => app.as(person).post(path).send(body).expect(201);
    const made = async (person: Person, path: string, body: object): Promise<string> =>
      (await send(person, path, body)).body.data.id as string;
    const demand = await app.demand(eve, theirs, { title: canary('demand'), description: canary('wish') });
    const task = await app.task(mia, theirs, {
      title: canary('task'),
      description: canary('work'),
      demand_id: demand,
      metadata: { note: canary('metadata') },
    });
    const comment = { entity_type: 'task', entity_id: task, content: canary('comment'), metadata: { n: CANARY } };
    await made(mia, '/comments', comment);
    const artifact = { kind: 'link', title: canary('artifact'), summary: canary('summary'), tags: [CANARY] };
    await made(eve, '/artifacts', { ...artifact, task_id: task, url: `https://${CANARY}.example/x` });
    const ritual = { name: canary('ritual'), prompt: canary('prompt'), schedule: { type: 'manual' } };
    await made(eve, '/rituals', { ...ritual, endeavour_id: theirs });
    const template = { name: canary('template'), type: 'checklist', lang: 'en', body: canary('body') };
    const pattern = await made(eve, '/templates', { ...template, organization_id: foreign, scope: 'task' });
    const policy = { name: canary('policy'), conditions: [{ type: 'comment_required', label: canary('label') }] };
    await made(eve, '/dod-policies', { ...policy, organization_id: foreign });
    await app.join(foreign, mia, 'admin');
    await app.join(riverside, mia, 'admin');
    const fork = await app
      .as(mia)
      .post(`/templates/${pattern}/fork`)
      .send({ name: 'Ours', body: 'x', organization_id: riverside })
      .expect(201);
    const mine = await app.task(mia, garden);
    await relate(mia, mine, task).expect(201);
    await relate(mia, task, mine).expect(201);
    const goals = [{ title: 'Open', linked_entity_type: 'demand', linked_entity_id: demand }];
    await app.as(mia).patch(`/endeavours/${garden}`).send({ goals }).expect(200);
    await app.link(foreign, garden);
    await app.link(riverside, theirs);
    await app.as(ann).patch(`/endeavours/${garden}`).send({ description: 'Wild' }).expect(200);
    for (const id of [garden, riverside]) {
      const { text, document } = await exported(id);
      const inside = text.replace(canary('endeavour'), '');
      for (const secret of [CANARY, foreign, theirs, task, demand, pattern]) {
        expect(id === riverside ? inside : text).not.toContain(secret);
      }
      expect(document.tasks.map(({ id: one }) => one)).toEqual([mine]);
    }
    const { document } = await exported(riverside);
    expect(document.endeavours).toEqual([
      expect.objectContaining({ id: garden, organizations: [{ id: riverside, name: 'Riverside' }] }),
      { name: canary('endeavour') },
    ]);
    expect(document.templates).toEqual([
      expect.objectContaining({ id: fork.body.data.id, predecessor_id: null, lineage_id: fork.body.data.id }),
    ]);
  });

  it('of an organization contains only endeavours whose home it is, even if the caller owns the others', async () => {
    const shared = await app.endeavour(ann, { name: 'Shared', organization_id: await app.organization(ann) });
    await app.link(riverside, shared);
    const task = await app.task(ann, shared);
    const { text, document } = await exported(riverside);
    expect(document.endeavours).toEqual([expect.objectContaining({ id: garden }), { name: 'Shared' }]);
    for (const id of [shared, task]) expect(text).not.toContain(id);
  });

  it('contains the history of a task that moved in, without the ids of its previous endeavour', async () => {
    const shed = await app.endeavour(ann, { name: 'Shed' });
    const demand = await app.demand(ann, shed);
    const task = await app.task(ann, shed, { title: 'Oil the hinges', demand_id: demand });
    await app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: garden, demand_id: null }).expect(200);
    const from = await exported(shed);
    expect(from.text).not.toContain(task);
    const { text, document } = await exported(garden);
    expect(typesOf(document)).toEqual(['endeavour.created', 'task.created', 'task.updated']);
    expect(document.changes[1]).toMatchObject({ endeavour_id: null, data: { id: task, title: 'Oil the hinges' } });
    for (const id of [shed, demand, 'Shed']) expect(text).not.toContain(id);
  });

  it('uses the current names of people in the history', async () => {
    const mia = await app.person('Mia Formerly');
    await app.join(garden, mia, 'member');
    const task = await app.task(mia, garden, { assignee_id: mia.resourceId });
    await app.as(mia).patch('/auth/profile').send({ name: 'Mia Lake' }).expect(200);
    const { text, document } = await exported(garden);
    expect(document.changes.find(({ entity_id }) => entity_id === task)).toMatchObject({ actor_name: 'Mia Lake' });
    expect(text).not.toContain('Mia Formerly');
  });
});
