import { createEntityFixtures, type EntityFixtures } from '../access/references/entity-fixtures.js';
import { sample } from '../support/depth.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const CANARY = 'Zebra';

/** Maps the first segment of a path to the fixture whose id replaces `{id}`. */
const KIND_OF: Record<string, keyof EntityFixtures['things'] | 'team' | 'agent'> = {
  approvals: 'approval',
  artifacts: 'artifact',
  comments: 'comment',
  demands: 'demand',
  'dod-checks': 'dod_check',
  'dod-endorsements': 'dod_endorsement',
  'dod-policies': 'dod_policy',
  'dod-results': 'dod_result',
  endeavours: 'endeavour',
  messages: 'message',
  organizations: 'organization',
  relations: 'relation',
  resources: 'resource',
  'ritual-runs': 'ritual_run',
  rituals: 'ritual',
  tasks: 'task',
  templates: 'template',
  users: 'user',
};

/** A user belongs to two companies. Users who see only one of them learn nothing about the other from any response. */
describe('data that is connected with an invisible container', () => {
  let app: TestApp;
  let mine: EntityFixtures;
  let other: EntityFixtures;
  let ann: Person;
  let readers: Record<string, Person>;
  let foreign: string[];
  /** Entities of the visible company that come from the other one or refer to it. */
  const more: [string, string][] = [];

  const make = async (path: string, body: object, person = ann): Promise<string> =>
    (await app.as(person).post(path).send(body).expect(201)).body.data.id;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    mine = await createEntityFixtures(app, 'Ann');
    ann = mine.owner;
    other = await createEntityFixtures(app, `${CANARY} Zoe`);
    await app.join(other.things.organization, ann, 'owner');
    for (const [path, field] of [
      ['organizations', 'name'],
      ['endeavours', 'name'],
      ['tasks', 'title'],
      ['demands', 'title'],
      ['artifacts', 'title'],
      ['rituals', 'name'],
      ['templates', 'name'],
      ['dod-policies', 'name'],
      ['resources', 'name'],
    ]) {
      const id = other.things[KIND_OF[path] as 'task'];
      await app
        .as(ann)
        .patch(`/${path}/${id}`)
        .send({ [field]: `${CANARY} ${path}` })
        .expect(200);
    }
    await connect();
    const vera = await app.person('Vera');
    await app.join(mine.things.endeavour, vera, 'viewer');
    const sent = { name: 'Main', scopes: ['*'] };
    const made = await app.as(ann).post(`/agents/${mine.agent}/tokens`).send(sent).expect(201);
    readers = {
      viewer: vera,
      'member of the company': mine.companion,
      agent: { ...ann, id: mine.agent, token: made.body.data.token },
      'token for the endeavour': await tokenOf(app, ann, { endeavour_id: mine.things.endeavour }),
      'token for the company': await tokenOf(app, ann, { organization_id: mine.things.organization }),
    };
    // A fork shows the id of its source, so these two ids may appear.
    const { template: _t, ritual: _r, ...hidden } = other.things;
    foreign = [...Object.values(hidden), other.team, other.agent];
  });
  afterAll(() => app.close());

  async function connect(): Promise<void> {
    const [here, there] = [mine.things, other.things];
    const ends = (source: string, target: string) => ({
      relationship_type: 'relates_to',
      source_entity_type: 'task',
      source_entity_id: source,
      target_entity_type: 'task',
      target_entity_id: target,
    });
    await make('/relations', ends(here.task, there.task));
    await make('/relations', ends(there.task, here.task));
    const places = { demand_id: there.demand, iteration_id: there.iteration, goal_id: there.goal };
    const moved = await app.task(ann, there.endeavour, { ...places, title: 'Moved' });
    await make('/comments', { entity_type: 'task', entity_id: moved, content: 'Before' });
    const target = { endeavour_id: here.endeavour, demand_id: null, iteration_id: null, goal_id: null };
    await app.as(ann).patch(`/tasks/${moved}`).send(target).expect(200);
    more.push(['tasks', moved]);
    const fork = { organization_id: here.organization, name: 'Forked' };
    for (const path of ['templates', 'rituals']) {
      more.push([path, await make(`/${path}/${there[KIND_OF[path] as 'task']}/fork`, fork)]);
    }
    await make('/invitations', { user_id: other.companion.id, endeavour_id: here.endeavour, endeavour_role: 'viewer' });
    await make('/messages', {
      recipient_ids: [other.companion.id],
      entity_type: 'task',
      entity_id: here.task,
      subject: CANARY,
      content: CANARY,
    });
    await make('/messages', { scope_type: 'organization', scope_id: there.organization, content: CANARY });
  }

  interface Parameter {
    in: string;
    name: string;
  }

  /** The paths of all read operations, with ids of the visible company. */
  const questions = (): string[] =>
    Object.entries(app.document.paths).flatMap(([path, { get }]) => {
      if (get === undefined || path.endsWith('/stream')) return [];
      const short = path.replace('/api/v1', '');
      const [, area] = short.split('/');
      const parameters = (get.parameters ?? []) as Parameter[];
      if (!short.includes('{')) {
        const isSearched = parameters.some(({ name }) => name === 'search');
        const isOfOne = parameters.some(({ name }) => name === 'entity_id');
        return [
          short,
          ...(isSearched ? [`${short}?search=${CANARY}`] : []),
          ...(isOfOne ? [`${short}?entity_id=${mine.things.task}`] : []),
        ];
      }
      const ids = [mine.things[KIND_OF[area] as 'task'], ...more.filter(([of]) => of === area).map(([, id]) => id)];
      return ids.filter((id) => id !== undefined).map((id) => short.replace('{id}', id).replace(/\{\w+\}/, ann.id));
    });

  it.each(sample(['viewer', 'member of the company', 'agent', 'token for the endeavour', 'token for the company'], 3))(
    'is not in any response to: %s',
    async (name) => {
      const asked = questions().filter((path) => path.startsWith('/') && !path.startsWith('/auth/my-data'));
      expect(asked.length).toBeGreaterThan(60);
      const structural = ['task', 'endeavour', 'organization', 'user', 'resource'].map(
        (kind) => `/relations?structural=true&entity_id=${mine.things[kind as 'task']}`,
      );
      const found: unknown[] = [];
      for (const path of [...asked, ...structural, `/relations?structural=true&entity_id=${ann.resourceId}`]) {
        const { status, text } = await app.as(readers[name]).get(path);
        if (status >= 500) found.push([path, status]);
        if (status !== 200) continue;
        const said = text.replaceAll(encodeURIComponent(CANARY), '');
        const shown = [CANARY, ...foreign].filter((one) => said.includes(one));
        if (shown.length > 0) found.push([path, shown, text.slice(0, 1500)]);
      }
      expect(found).toEqual([]);
    },
  );
});
