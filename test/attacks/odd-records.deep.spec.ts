import { TestApp, type Person } from '../support/test-app.js';

type Json = Record<string, unknown>;

const ABSENT = Symbol('absent');
const ODD: readonly unknown[] = [
  ABSENT,
  null,
  '',
  ' ',
  0,
  -1.5,
  true,
  [],
  {},
  ['x'],
  { a: 1 },
  'x',
  '2026-02-30',
  { toString: 1 },
];

/** Copies of a record, each with one property of another form, and with an id of its own. */
function* oddCopies(record: Json, identify: (copy: Json, number: number) => void): Generator<Json> {
  let number = 0;
  for (const path of pathsOf(record)) {
    for (const value of ODD) {
      const copy = structuredClone(record);
      identify(copy, (number += 1));
      set(copy, path, value);
      yield copy;
    }
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function pathsOf(value: unknown): string[][] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => [[name], ...pathsOf(value[name]).map((rest) => [name, ...rest])]);
}

function set(target: Json, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) set(target[name] as Json, rest, value);
  else if (value === ABSENT) delete target[name];
  else target[name] = value;
}

const TIME = '2026-11-20T10:00:00Z';
const USER = { login: 'ann', name: 'Ann', email: 'ann@example.com' };

/** Files whose records lack what they usually have, or have it in another form: each is a line of the report. */
describe('an import of records with missing or odd properties', () => {
  let app: TestApp;
  let ann: Person;
  let organization: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });
  beforeEach(async () => {
    organization = await app.organization(ann);
    garden = await app.endeavour(ann);
  });
  afterAll(() => app.close());

  /** Imports the file, dry and then really; the operation succeeds whatever the lines are like. */
  const imported = async (format: string, file: string | object, target = `endeavour_id=${garden}`): Promise<void> => {
    for (const query of ['&dry_run=true', '']) {
      const { body, headers } = await app
        .as(ann)
        .post(`/imports?format=${format}&${target}${query}`)
        .set('Content-Type', 'application/octet-stream')
        .send(typeof file === 'string' ? file : JSON.stringify(file))
        .expect(202);
      let operation = body.data;
      while (operation.finished_at === null) {
        operation = (await app.as(ann).get(headers.location).set('Prefer', 'wait=20').expect(200)).body.data;
      }
      expect([query, operation.status, operation.error]).toEqual([query, 'succeeded', null]);
    }
  };

  it('from GitHub', async () => {
    const issue = {
      number: 1,
      title: 'Dig',
      state: 'closed',
      state_reason: 'not_planned',
      body: 'Deep',
      user: USER,
      assignees: [USER],
      labels: [{ name: 'soil' }],
      milestone: { title: 'Spring', due_on: TIME },
      created_at: TIME,
      closed_at: TIME,
      comments: [{ id: 1, user: USER, body: 'Well', created_at: TIME }],
    };
    const identify = (copy: Json, number: number): void => void (copy.number = number);
    await imported('github', [...oddCopies(issue, identify)]);
  });

  it('from Jira', async () => {
    const issue = {
      key: 'G-1',
      self: 'https://jira.example.com/rest/api/2/issue/1',
      fields: {
        summary: 'Dig',
        description: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Deep' }] }] },
        status: { name: 'Done', statusCategory: { key: 'done' } },
        resolution: { name: 'Done' },
        labels: ['soil'],
        parent: { key: 'G-0' },
        issuelinks: [{ type: { name: 'Blocks' }, outwardIssue: { key: 'G-2' } }],
        reporter: { displayName: 'Ann', accountId: 'a' },
        comment: { comments: [{ id: '1', author: { displayName: 'Ann' }, body: 'Well', created: TIME }] },
        created: TIME,
        resolutiondate: TIME,
        duedate: '2026-11-20',
        timespent: 3_600,
      },
    };
    await imported('jira', { issues: [...oddCopies(issue, (copy, number) => void (copy.key = `G-${number}`))] });
  });

  it('from Linear', async () => {
    const issue = {
      identifier: 'G-1',
      previousIdentifiers: ['H-1'],
      title: 'Dig',
      description: 'Deep',
      url: 'https://linear.example.com/issue/G-1',
      state: { name: 'Done', type: 'completed' },
      priority: 2,
      estimate: 3,
      dueDate: '2026-11-20',
      createdAt: TIME,
      completedAt: TIME,
      archivedAt: TIME,
      cycle: { number: 4, startsAt: TIME, endsAt: TIME },
      team: { name: 'Garden' },
      assignee: { name: 'Ann', displayName: 'ann' },
      labels: { nodes: [{ name: 'soil' }], pageInfo: { hasNextPage: true } },
      parent: { identifier: 'G-0' },
      children: { nodes: [{ identifier: 'G-2' }] },
      relations: { nodes: [{ type: 'blocks', relatedIssue: { identifier: 'G-2' } }] },
      inverseRelations: { nodes: [{ type: 'related', issue: { identifier: 'G-3' } }] },
      comments: { nodes: [{ id: 'c', body: 'Well', createdAt: TIME, user: { name: 'Ann' } }] },
    };
    const identify = (copy: Json, number: number): void => void (copy.identifier = `G-${number}`);
    await imported('linear', { data: { issues: { nodes: [...oddCopies(issue, identify)] } } });
  });

  it('from Trello', async () => {
    const card = {
      id: 'c',
      idList: 'l',
      idMembers: ['m'],
      name: 'Dig',
      desc: 'Deep',
      due: TIME,
      labels: [{ name: 'x' }],
    };
    const list = { id: 'l', name: 'Doing', closed: false };
    const checklist = {
      id: 'k',
      idCard: 'c1',
      name: 'Steps',
      checkItems: [{ name: 'One', state: 'complete', pos: 1 }],
    };
    const action = { id: 'a', type: 'commentCard', date: TIME, data: { text: 'Well', card: { id: 'c1' } } };
    const identify = (copy: Json, number: number): void => void (copy.id = `${String(copy.id)}${number}`);
    await imported('trello', {
      lists: [list, ...oddCopies(list, identify)],
      cards: [...oddCopies(card, identify)],
      checklists: [...oddCopies(checklist, identify)],
      actions: [...oddCopies(action, identify)],
    });
  });

  it('from Vikunja', async () => {
    const task = {
      id: 1,
      title: 'Dig',
      description: 'Deep',
      done: true,
      done_at: TIME,
      due_date: TIME,
      percent_done: 0.5,
      priority: 3,
      bucket_id: 1,
      labels: [{ title: 'soil' }],
      assignees: [{ name: 'Ann', username: 'ann' }],
      comments: [{ id: 1, comment: 'Well', author: { name: 'Ann' }, created: TIME }],
      related_tasks: { blocking: [{ id: 2 }] },
      created: TIME,
    };
    const identify = (copy: Json, number: number): void => void (copy.id = number);
    const project = { id: 1, title: 'Garden', buckets: [{ id: 1, title: 'To do' }], tasks: [] };
    const projects = [...oddCopies(project, (copy, number) => void (copy.id = number + 1))];
    await imported('vikunja', [{ ...project, tasks: [...oddCopies(task, identify)] }, ...projects]);
  });

  it('from an export, in every section', async () => {
    const people = { created_by: 'res_1', creator_id: 'res_1', owner_id: 'res_1', assignee_id: 'res_1' };
    const common = { ...people, endeavour_id: 'edv_1', metadata: { a: 1 }, created_at: TIME };
    const versioned = { ...common, name: 'Weekly', description: 'x', lang: 'en', version: 1, origin: 'custom' };
    const lineage = { predecessor_id: null, lineage_id: 'x' };
    const sections: Record<string, Json> = {
      endeavours: {
        id: 'edv',
        name: 'Garden',
        goals: [{ title: 'Dig', status: 'open' }],
        status: 'active',
        timezone: 'UTC',
      },
      demands: {
        ...common,
        id: 'dmd',
        title: 'Soil',
        type: 'story',
        status: 'fulfilled',
        fulfilled_at: TIME,
        priority: 'low',
      },
      tasks: {
        ...common,
        id: 'tsk',
        title: 'Dig',
        status: 'done',
        completed_at: TIME,
        started_at: TIME,
        actual: 1,
        estimate: 1,
      },
      artifacts: {
        ...common,
        id: 'art',
        kind: 'link',
        title: 'Map',
        url: 'https://example.com',
        tags: ['x'],
        status: 'active',
      },
      templates: {
        ...versioned,
        ...lineage,
        id: 'tpl',
        scope: 'task',
        type: 'report',
        body: '# {{ a }}',
        status: 'active',
      },
      rituals: { ...versioned, ...lineage, id: 'rtl', prompt: 'Ask', schedule: { type: 'manual' }, status: 'active' },
      comments: { ...common, id: 'cmt', entity_type: 'task', entity_id: 'tsk1', content: 'Well', author_id: 'res_1' },
      relations: {
        id: 'rel',
        relationship_type: 'relates_to',
        source_entity_type: 'task',
        source_entity_id: 'tsk1',
        target_entity_type: 'task',
        target_entity_id: 'tsk2',
        metadata: {},
      },
      approvals: {
        id: 'apr',
        entity_id: 'tsk1',
        verdict: 'approved',
        role: 'x',
        approver_name: 'Ann',
        created_at: TIME,
      },
      resources: { id: 'res', name: 'Ann', email: 'ann@example.com' },
    };
    const identify = (copy: Json, number: number): void => void (copy.id = `${String(copy.id)}${number}`);
    const lists = Object.entries(sections).map(([name, record]) => [name, [...oddCopies(record, identify)]] as const);
    const { endeavours, ...others } = Object.fromEntries(lists);
    const whole = {
      version: 1,
      kind: 'organization',
      endeavours: [{ ...sections.endeavours, id: 'edv_1' }, ...endeavours],
    };
    await imported('worksmith', { ...whole, ...others }, `organization_id=${organization}`);
  });
});
