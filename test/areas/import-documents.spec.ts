import { Agreement, results } from '../support/dod.js';
import type { Person, TestApp } from '../support/test-app.js';

type Item = Record<string, unknown> & { id: string; metadata: Record<string, unknown> };
type Document = Record<string, Item[]>;

interface Report {
  counts: Record<string, number>;
  refusals: { line: number; external_id: string; code: string; reason: string | null }[];
}

/** The imported kinds, with the properties that must be equal after the import. */
const CONTENT = {
  iterations: ['name', 'goal', 'start_day', 'end_day', 'status', 'started_at', 'closed_at', 'report', 'created_at'],
  demands: [
    'type',
    'title',
    'description',
    'status',
    'priority',
    'start_date',
    'due_date',
    'due_day',
    'fulfilled_at',
    'canceled_at',
  ].concat(['canceled_reason', 'created_at', 'external_ref', 'number', 'rank', 'labels']),
  tasks: [
    'title',
    'description',
    'status',
    'rank',
    'labels',
    'points',
    'priority',
    'effective_priority',
    'estimate',
    'actual',
    'start_date',
    'due_date',
    'due_day',
    'started_at',
    'completed_at',
    'stage_name',
  ].concat(['canceled_at', 'canceled_reason', 'blocked_by_count', 'created_at', 'external_ref', 'number']),
  artifacts: ['kind', 'title', 'url', 'summary', 'tags', 'status', 'created_at', 'external_ref'],
  comments: ['entity_type', 'content', 'created_at', 'edited_at'],
  templates: ['name', 'description', 'scope', 'type', 'lang', 'body', 'status', 'version', 'created_at'],
  rituals: ['name', 'description', 'prompt', 'schedule', 'iteration_days', 'lang', 'status', 'version', 'created_at'],
} as const;

/** Properties with ids of other items, which are compared by the titles of these items. */
const REFERENCES = ['demand_id', 'goal_id', 'iteration_id', 'task_id', 'entity_id', 'reply_to_id', 'predecessor_id'];

const round = { name: 'Spring', goal: 'Green', start_day: '2027-03-01', end_day: '2027-03-14' };

describe('imports of exports', () => {
  let ours: Agreement;
  let app: TestApp;
  let [ann, bob, ada]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    ours = await Agreement.open({ WORKERS: 'true', OPERATION_PIECE: '3', LIMIT_WRITES_PER_MINUTE: '100000' });
    ({ app, ann, bob, ada } = ours);
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
  });

  afterAll(() => app.close());

  const made = async (path: string, body: object, person = ann): Promise<string> =>
    (await app.as(person).post(path).send(body).expect(201)).body.data.id;
  const patched = (path: string, body: object) => app.as(ann).patch(path).send(body).expect(200);
  const exported = async (id: string, person = ann): Promise<Document> =>
    (
      await app
        .as(person)
        .get(`/${id.startsWith('org') ? 'organizations' : 'endeavours'}/${id}/export`)
        .expect(200)
    ).body;
  const send = (target: string, document: object, person = ann, more = '') =>
    app
      .as(person)
      .post(
        `/imports?format=worksmith&${target.startsWith('org') ? 'organization_id' : 'endeavour_id'}=${target}${more}`,
      )
      .set('Content-Type', 'application/octet-stream')
      .send(JSON.stringify(document));
  const imported = async (target: string, document: object, person = ann, more = ''): Promise<Report> => {
    const { headers, body } = await send(target, document, person, more).expect(202);
    const ended = await app.ended(person, headers.location);
    expect(ended.body.data).toMatchObject({ status: 'succeeded', error: null });
    const report = await app
      .as(person)
      .get(`/imports/${body.data.id.replace('opr_', 'imp_')}`)
      .expect(200);
    return report.body.data;
  };

  /** Creates data of every kind that the import of an endeavour supports. */
  const plant = async (endeavour: string): Promise<{ task: string; report: string }> => {
    const story = { type: 'story', endeavour_id: endeavour };
    const winter = await made('/iterations', { ...round, name: 'Winter', goal: undefined, endeavour_id: endeavour });
    await patched(`/iterations/${winter}`, { status: 'active' });
    const iteration_id = await made('/iterations', { ...round, endeavour_id: endeavour });
    const goals = [{ title: 'Green', due_day: '2027-05-01' }];
    const { body } = await patched(`/endeavours/${endeavour}`, { goals });
    const goal_id = body.data.goals[0].id as string;
    const shade = await made('/demands', {
      ...story,
      title: 'Shade',
      description: 'Cool',
      priority: 'high',
      labels: ['tree'],
      external_ref: { source: 'jira', id: 'G-0', url: 'https://jira.example.com/G-0' },
      iteration_id,
      goal_id,
      start_date: '2027-02-01',
      metadata: { size: { m: 3 } },
    });
    const rest = await made('/demands', { ...story, title: 'Rest', due_date: '2027-03-01' });
    await patched(`/demands/${rest}`, { status: 'canceled', canceled_reason: 'No bench' });
    const task = await app.task(ann, endeavour, {
      title: 'Dig',
      description: 'Deep',
      demand_id: shade,
      iteration_id,
      goal_id,
      start_date: '2027-02-02',
      estimate: 3.5,
      points: 5,
      priority: 'urgent',
      labels: ['soil', 'Hard work'],
      assignee_id: bob.id,
      metadata: { tools: ['spade'] },
      external_ref: { source: 'jira', id: 'G-1', url: 'https://jira.example.com/G-1' },
    });
    const planting = await app.task(ann, endeavour, { title: 'Plant', due_date: '2027-04-01T10:00:00Z' });
    const over = await app.task(ann, endeavour, { title: 'Measure', due_date: '2027-05-01' });
    await patched(`/tasks/${task}`, { status: 'active' });
    await patched(`/tasks/${over}`, { status: 'active' });
    await patched(`/tasks/${over}`, { status: 'done', actual: 2 });
    await patched(`/tasks/${await app.task(ann, endeavour, { title: 'Weed', iteration_id: winter, points: 1 })}`, {
      status: 'canceled',
      canceled_reason: 'Rain',
    });
    await app.as(ann).post(`/iterations/${winter}/close`).send({ carry_over: 'backlog' }).expect(200);
    await patched(`/iterations/${iteration_id}`, { status: 'active' });
    await made('/relations', {
      relationship_type: 'depends_on',
      source_entity_type: 'task',
      source_entity_id: planting,
      target_entity_type: 'task',
      target_entity_id: task,
    });
    const report = await made('/artifacts', {
      kind: 'test-report',
      title: 'Soil',
      task_id: task,
      tags: ['test-report'],
      metadata: { result: 'passed', ph: 6.5 },
    });
    await made('/artifacts', {
      kind: 'link',
      title: 'Map',
      url: 'https://example.com/map',
      summary: 'North is up',
      external_ref: { source: 'maps', id: '7' },
      endeavour_id: endeavour,
    });
    const said = { entity_type: 'task', entity_id: task };
    const first = await made('/comments', { ...said, content: 'How deep?' });
    await made('/comments', { ...said, content: 'Two feet.', reply_to_id: first }, bob);
    await made('/comments', { entity_type: 'endeavour', entity_id: endeavour, content: 'All well' });
    await made('/rituals', {
      name: 'Round',
      description: 'On foot',
      iteration_days: 14,
      prompt: 'Look at everything.',
      schedule: { type: 'cron', expression: '0 8 * * 1' },
      endeavour_id: endeavour,
    });
    return { task, report };
  };

  it('reproduce the exported content, and can be exported and imported again', async () => {
    await plant(garden);
    const before = await exported(garden);
    const copy = await app.endeavour(ann, { goals: ['Green'] });
    await app.join(copy, bob, 'member');
    const report = await imported(copy, before);
    expect(report.refusals).toEqual([]);
    expect(report.counts).toEqual({ created: 11, updated: 0, unchanged: 1, comments: 3, relations: 1 });
    const after = await exported(copy);
    expect(contentOf(after)).toEqual(contentOf(before));
    expect(after.rituals.map(({ is_enabled }) => is_enabled)).toEqual([false]);
    expect(after.tasks.map(({ assignee_id }) => assignee_id).filter(Boolean)).toEqual([bob.resourceId]);
    expect(after.tasks.find(({ title }) => title === 'Measure')).toMatchObject({ dod: { result: 'imported' } });
    const again = await imported(copy, before);
    expect(again.refusals).toEqual([]);
    expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 12, comments: 0, relations: 0 });
    expect(contentOf(await exported(copy))).toEqual(contentOf(before));
    await patched(`/tasks/${before.tasks[0].id}`, { title: 'Dig deeper' });
    const changed = await imported(copy, await exported(garden));
    expect(changed.counts).toMatchObject({ created: 0, updated: 1 });
    expect((await exported(copy)).tasks.map(({ title }) => title)).toContain('Dig deeper');
  });

  it('are compared in every property but these, with values of all but these', async () => {
    const riverside = await app.organization(ann);
    await app.join(riverside, bob, 'member');
    await plant(await app.endeavour(ann, { organization_id: riverside }));
    const template = { name: 'Short', description: 'One line', scope: 'task', body: '{{ task.title }}' };
    await made('/templates', { ...template, organization_id: riverside });
    const document = await exported(riverside);
    const bySection = (names: (section: string, compared: readonly string[]) => string[]) =>
      Object.fromEntries(Object.entries(CONTENT).map(([section, compared]) => [section, names(section, compared)]));
    const isOther = (name: string, compared: readonly string[]): boolean =>
      ![...compared, ...REFERENCES, 'metadata'].includes(name);
    const others = bySection((section, compared) =>
      Object.keys(document[section][0]).filter((name) => isOther(name, compared)),
    );
    const isEmpty = (value: unknown): boolean =>
      value == null || value === '' || (Array.isArray(value) && value.length === 0);
    const without = bySection((section, compared) =>
      compared.filter((name) => document[section].every((item) => isEmpty(item[name]))),
    );
    expect(others).toEqual({
      iterations: ['id', 'endeavour_id', 'created_by', 'updated_at', 'revision'],
      demands: [
        'id',
        'key',
        'former_keys',
        'endeavour_id',
        'endeavour_name',
        'creator_id',
        'creator_name',
        'owner_id',
        'owner_name',
        'progress',
        'updated_at',
        'revision',
      ],
      tasks: [
        'id',
        'key',
        'former_keys',
        'stage',
        'endeavour_id',
        'endeavour_name',
        'demand_key',
        'demand_title',
        'assignee_id',
        'assignee_name',
        'owner_id',
        'owner_name',
        'creator_id',
        'creator_name',
        'dod',
        'attested_at',
        'updated_at',
        'revision',
      ],
      artifacts: ['id', 'file', 'endeavour_id', 'created_by', 'updated_at', 'revision'],
      comments: ['id', 'author_id', 'author_name', 'deleted_at', 'updated_at', 'revision'],
      templates: ['id', 'organization_id', 'container', 'origin', 'lineage_id', 'created_by', 'updated_at', 'revision'],
      rituals: [
        'id',
        'task',
        'is_enabled',
        'endeavour_id',
        'organization_id',
        'origin',
        'lineage_id',
        'next_run_at',
        'last_run',
        'created_by',
        'updated_at',
        'revision',
      ],
    });
    expect(without).toEqual({
      iterations: [],
      demands: ['fulfilled_at'],
      tasks: ['stage_name'],
      artifacts: [],
      comments: ['edited_at'],
      templates: [],
      rituals: [],
    });
  });

  it('keep a goal that the target does not have as a note, and leave the goals of existing work', async () => {
    await plant(garden);
    const before = await exported(garden);
    const copy = await app.endeavour(ann, { goals: ['Other'] });
    await imported(copy, before);
    const dig = async () => (await exported(copy)).tasks.find(({ title }) => title === 'Dig')!;
    const { goal_id: lost } = before.tasks.find(({ title }) => title === 'Dig')!;
    const { id, ...copied } = await dig();
    expect(copied).toMatchObject({ goal_id: null, metadata: { imported: { goal_id: lost } } });
    const [{ id: other }] = (await app.as(ann).get(`/endeavours/${copy}`).expect(200)).body.data.goals;
    await patched(`/tasks/${id}`, { goal_id: other });
    expect((await imported(copy, before)).refusals).toEqual([]);
    expect((await dig()).goal_id).toBe(other);
  });

  it('do not complete an endeavour when its last task ends in a piece that also creates tasks', async () => {
    const copy = await app.endeavour(ann);
    const task = await app.task(ann, garden);
    await patched(`/tasks/${task}`, { status: 'active' });
    await imported(copy, await exported(garden));
    await patched(`/endeavours/${copy}`, { metadata: { auto_complete: true } });
    await patched(`/tasks/${task}`, { status: 'done' });
    await app.task(ann, garden);
    const report = await imported(copy, await exported(garden));
    expect(report).toMatchObject({ counts: { created: 1, updated: 1 }, refusals: [] });
    expect((await app.as(ann).get(`/endeavours/${copy}`).expect(200)).body.data.status).toBe('active');
  });

  it('of an organization include its endeavours and templates, and require an owner of the target', async () => {
    const riverside = await app.organization(ann);
    await app.join(riverside, bob, 'member');
    const own = await app.endeavour(ann, { organization_id: riverside, name: 'Beds', goals: ['Green'] });
    await plant(own);
    const resting = await app.endeavour(ann, { organization_id: riverside, name: 'Paths' });
    await patched(`/endeavours/${resting}`, { status: 'completed' });
    const template = { name: 'Short', scope: 'task', body: '# {{ task.title }}', organization_id: riverside };
    const first = await made('/templates', template);
    await made(`/templates/${first}/fork`, { organization_id: riverside, body: '{{ task.title }}' });
    const before = await exported(riverside);
    const hillside = await app.organization(ann, { name: 'Hillside' });
    await app.join(hillside, bob, 'admin');
    await send(hillside, before, bob).expect(403);
    const report = await imported(hillside, before);
    expect(report.refusals).toEqual([]);
    const after = await exported(hillside);
    expect(contentOf(after)).toEqual(contentOf(before));
    expect(after.endeavours.map(({ name, status }) => [name, status])).toEqual([
      ['Beds', 'active'],
      ['Paths', 'completed'],
    ]);
    expect((await imported(hillside, before)).counts).toMatchObject({ created: 0, updated: 0 });
    const { body } = await send(garden, before).expect(400);
    expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'file', code: 'invalid_format' })]);
    await send(garden, {}).expect(400);
  });

  it('of an organization into itself are copies, and leave the originals as they are', async () => {
    const riverside = await app.organization(ann);
    await app.join(riverside, bob, 'member');
    const own = await app.endeavour(ann, { organization_id: riverside, name: 'Beds' });
    await patched(`/endeavours/${own}`, { external_ref: { source: 'crm', id: '7' } });
    const { task } = await plant(own);
    const document = await exported(own);
    await patched(`/tasks/${task}`, { title: 'Edited since' });
    expect((await imported(riverside, document)).refusals).toEqual([]);
    const after = await exported(riverside);
    expect(
      after.endeavours.map(({ id, name, external_ref: ref }) => [
        id === own,
        name,
        (ref as { id: string } | null)?.id ?? null,
      ]),
    ).toEqual([
      [true, 'Beds', '7'],
      [false, 'Beds', null],
    ]);
    expect(after.endeavours[1].metadata).toMatchObject({ imported: { external_ref: { source: 'crm', id: '7' } } });
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data).toMatchObject({ title: 'Edited since', endeavour_id: own });
    expect((await imported(riverside, document)).counts).toMatchObject({ created: 0 });
  });

  it('keep names of people who are not members, and authors only if an administrator imports', async () => {
    const task = await app.task(bob, garden, { title: 'Dig', assignee_id: bob.id });
    await made('/comments', { entity_type: 'task', entity_id: task, content: 'Deep' }, bob);
    const document = await exported(garden);
    const alone = await app.endeavour(ann);
    await imported(alone, document);
    const [copy] = (await exported(alone)).tasks;
    expect(copy).toMatchObject({
      assignee_id: null,
      owner_id: ann.resourceId,
      creator_id: ann.resourceId,
      metadata: { imported: { format: 'worksmith', assignee: 'Bob', owner: 'Bob', author: 'Bob' } },
    });
    const { body } = await app.as(ann).get(`/endeavours/${alone}/members`).expect(200);
    expect(body.data).toHaveLength(1);
    const shared = await app.endeavour(ann);
    await app.join(shared, bob, 'member');
    await imported(shared, document, ada);
    const kept = await exported(shared);
    expect(kept.tasks[0]).toMatchObject({ assignee_id: bob.resourceId, creator_id: bob.resourceId });
    expect(kept.comments[0]).toMatchObject({ author_id: bob.resourceId });
  });

  it('provide no evidence for the Definition of Done', async () => {
    const { task } = await plant(garden);
    await patched(`/tasks/${task}`, { metadata: { dod_attested: true } });
    const document = await exported(garden);
    const bound = await ours.bound({ type: 'tests_pass' }, { type: 'manual_attestation' }, { type: 'time_in_status' });
    await imported(bound, document);
    const [copy] = (await exported(bound)).tasks;
    expect(copy).toMatchObject({ title: 'Dig', attested_at: null, metadata: { imported: { dod_attested: true } } });
    const { body } = await app.as(ann).post(`/tasks/${copy.id}/dod-check`).expect(200);
    expect(results(body.data)).toEqual(['tests_pass failed', 'manual_attestation failed', 'time_in_status failed']);
  });

  it('report each record that is not imported', async () => {
    const foreign = '0'.repeat(32);
    const endeavour = { id: `edv_${foreign}`, name: 'Garden', status: 'active' };
    const base = { endeavour_id: endeavour.id, status: 'planned', metadata: {} };
    const document = {
      kind: 'endeavour',
      endeavour,
      tasks: [
        { ...base, id: 'tsk_1', title: '' },
        { ...base, id: 'tsk_2', title: 'Lost', demand_id: 'dmd_404' },
        { ...base, id: 'tsk_3', title: 'Odd', status: 'open' },
        { ...base, id: 'tsk_4', title: 'Well' },
        { ...base, id: 'tsk_4', title: 'Twice' },
        { ...base, id: 'tsk_5', title: 'Bad\u0000' },
      ],
      templates: [{ id: 'tpl_1', name: 'Note', scope: 'task', body: 'x', status: 'active', organization_id: 'org_1' }],
      comments: [
        { id: 'cmt_1', entity_type: 'task', entity_id: 'tsk_4', content: null },
        { id: 'cmt_2', entity_type: 'message', entity_id: 'msg_1', content: 'x' },
      ],
      relations: [
        { id: 'rel_1', relationship_type: 'member_of', structural: true },
        {
          id: 'rel_2',
          relationship_type: 'relates_to',
          source_entity_type: 'task',
          source_entity_id: 'tsk_4',
          target_entity_type: 'task',
          target_entity_id: 'tsk_404',
        },
      ],
    };
    const dry = await imported(garden, document, ann, '&dry_run=true');
    expect(dry.counts).toMatchObject({ created: 1 });
    expect((await exported(garden)).tasks).toEqual([]);
    const { counts, refusals } = await imported(garden, document);
    expect(counts).toMatchObject({ created: 1 });
    expect(refusals.map(({ external_id, code, reason }) => [external_id, code, reason])).toEqual([
      ['tsk_1', 'invalid_input', 'too_short'],
      ['tsk_2', 'invalid_input', 'reference_not_found'],
      ['tsk_3', 'invalid_input', 'invalid_value'],
      ['tsk_4', 'conflict', 'duplicate'],
      [null, 'invalid_input', 'invalid_text'],
      ['tpl_1', 'invalid_input', null],
      ['cmt_1', 'invalid_input', null],
      ['cmt_2', 'invalid_input', 'invalid_value'],
      ['rel_1', 'invalid_input', null],
      ['rel_2', 'invalid_input', 'reference_not_found'],
    ]);
  });

  it('create only closed tasks in fulfilled demands', async () => {
    const endeavour = { id: `edv_${'0'.repeat(32)}`, name: 'Garden', status: 'active' };
    const base = { endeavour_id: endeavour.id, metadata: {} };
    const story = { ...base, id: 'dmd_1', type: 'story', title: 'Shade', status: 'fulfilled' };
    const tasks = ['planned', 'active', 'done', 'canceled'].map((status) => ({
      ...base,
      id: `tsk_${status}`,
      title: status,
      status,
      demand_id: story.id,
      ...(status === 'canceled' && { canceled_reason: 'Rain' }),
    }));
    const { refusals } = await imported(garden, { kind: 'endeavour', endeavour, demands: [story], tasks });
    expect(refusals.map(({ external_id, code, reason }) => [external_id, code, reason])).toEqual([
      ['tsk_planned', 'conflict', 'demand_fulfilled'],
      ['tsk_active', 'conflict', 'demand_fulfilled'],
    ]);
    const created = (await exported(garden)).tasks.map(({ title }) => title);
    expect(created.sort()).toEqual(['canceled', 'done']);
  });

  it('reject other formats for organizations, and two targets', async () => {
    const riverside = await app.organization(ann);
    for (const query of [
      `format=csv&organization_id=${riverside}`,
      `format=worksmith&organization_id=${riverside}&endeavour_id=${garden}`,
      'format=worksmith&organization_id=x',
    ]) {
      const { body } = await app
        .as(ann)
        .post(`/imports?${query}`)
        .set('Content-Type', 'application/octet-stream')
        .send('{}')
        .expect(400);
      expect(body.error.details.fields).toEqual([expect.objectContaining({ field: 'organization_id' })]);
    }
  });

  it('keep stages, and where the target has none their names', async () => {
    const riverside = await app.organization(ann);
    const stages = [
      { name: 'Backlog', status: 'planned', wip_limit: null },
      { name: 'Ready', status: 'planned', wip_limit: 1 },
      { name: 'Shipped', status: 'done', wip_limit: null },
    ];
    const sent = stages.map(({ wip_limit: limit, ...stage }) => ({ ...stage, ...(limit && { wip_limit: limit }) }));
    const beds = await app.endeavour(ann, { organization_id: riverside, name: 'Beds', stages: sent });
    const first = await app.task(ann, beds, { title: 'Dig' });
    for (const title of ['Sow', 'Weed']) await app.task(ann, beds, { title, stage: 'Ready' });
    const done = await app.task(ann, beds, { title: 'Plan' });
    for (const status of ['active', 'done']) await patched(`/tasks/${done}`, { status });
    const stagesIn = ({ tasks }: Document) => tasks.map((task) => `${String(task.title)} ${String(task.stage_name)}`);
    const expected = ['Dig Backlog', 'Sow Ready', 'Weed Ready', 'Plan Shipped'];
    const hillside = await app.organization(ann, { name: 'Hillside' });
    expect((await imported(hillside, await exported(riverside))).refusals).toEqual([]);
    const copy = await exported(hillside);
    expect(copy.endeavours[0].stages).toEqual(
      stages.map((stage) => ({ id: expect.stringMatching(/^stg_/), ...stage })),
    );
    expect(stagesIn(copy).sort()).toEqual(expected.toSorted());
    await patched(`/tasks/${first}`, { stage: 'Ready' });
    const again = await imported(hillside, await exported(riverside));
    expect(again).toMatchObject({ counts: { created: 0, updated: 1 }, refusals: [] });
    expect(stagesIn(await exported(hillside))).toContain('Dig Ready');
    const plain = await app.endeavour(ann);
    expect((await imported(plain, await exported(beds))).refusals).toEqual([]);
    const { tasks } = await exported(plain);
    expect(
      tasks.map(({ stage_name: name, metadata }) => [name, (metadata.imported as { stage: string }).stage]),
    ).toEqual(
      expect.arrayContaining([
        [null, 'Ready'],
        [null, 'Shipped'],
      ]),
    );
    expect(await imported(plain, await exported(beds))).toMatchObject({ counts: { created: 0 }, refusals: [] });
  });

  it('bring the time that was spent, and the hours of tasks as its sum', async () => {
    const [task, over] = [await app.task(ann, garden, { title: 'Dig' }), await app.task(ann, garden, { title: 'Sow' })];
    const day = '2026-11-20';
    await patched(`/tasks/${over}`, { actual: 30, status: 'active' });
    await made('/time-entries', { task_id: task, minutes: 90, day, note: 'Deep' });
    await made('/time-entries', { task_id: over, minutes: 15, day }, bob);
    await patched(`/tasks/${over}`, { status: 'done' });
    const document = await exported(garden);
    const copy = await app.endeavour(ann);
    await app.join(copy, bob, 'member');
    expect((await imported(copy, document)).refusals).toEqual([]);
    const times = ({ time_entries: entries }: Document) =>
      entries.map(({ task_title: title, minutes, day: on, note, resource_id, is_initial }) =>
        [title, minutes, on, note, resource_id, is_initial].join(),
      );
    const hours = ({ tasks }: Document) => tasks.map(({ title, actual }) => [title, actual]);
    const after = await exported(copy);
    expect(times(after).toSorted()).toEqual(times(document).toSorted());
    expect(hours(after)).toEqual([
      ['Dig', 1.5],
      ['Sow', 30.25],
    ]);
    const again = await imported(copy, document);
    expect(again).toMatchObject({ counts: { created: 0, updated: 0 }, refusals: [] });
    const [own] = after.tasks;
    await made('/time-entries', { task_id: own.id, minutes: 30, day });
    expect(await imported(copy, document)).toMatchObject({ counts: { updated: 0 }, refusals: [] });
    expect(hours(await exported(copy))[0]).toEqual(['Dig', 2]);
  });

  it('refuse time that cannot be stored, and name who spent it if they are not members', async () => {
    const task = await app.task(ann, garden, { title: 'Dig' });
    const day = '2026-11-20';
    for (const note of ['Deep', undefined]) await made('/time-entries', { task_id: task, minutes: 60, day, note }, bob);
    const document = await exported(garden);
    const [entry] = document.time_entries;
    const broken = [
      { minutes: 0 },
      { minutes: 1441 },
      { day: '2026-02-30' },
      { task_id: `tsk_${'0'.repeat(32)}` },
    ].concat([{ minutes: 1e9, is_initial: true } as never]);
    const records = broken.map((change, n) => ({ ...entry, id: `tme_${String(n).padStart(32, '0')}`, ...change }));
    const alone = await app.endeavour(ann);
    const report = await imported(alone, { ...document, time_entries: [...document.time_entries, ...records] });
    expect(report.refusals.map(({ reason }) => reason).toSorted()).toEqual([
      'invalid_date',
      'out_of_range',
      'out_of_range',
      'out_of_range',
      'reference_not_found',
    ]);
    const { tasks, time_entries: entries } = await exported(alone);
    expect(entries.map(({ note }) => note).toSorted()).toEqual(['Bob', 'Bob: Deep']);
    expect(entries.map(({ resource_id: id }) => id)).toEqual([ann.resourceId, ann.resourceId]);
    expect(tasks[0].actual).toBe(2);
    // Fewer entries than the hours of the task say: the sum counts, with an event.
    const partial = await app.endeavour(ann);
    await imported(partial, { ...document, time_entries: document.time_entries.slice(0, 1) });
    const [copy] = (await exported(partial)).tasks;
    expect([copy.actual, copy.revision]).toEqual([1, 2]);
  });

  it('bring rules, disabled and in the name of the importer, which name the imported entities', async () => {
    const demand = await app.demand(ann, garden);
    const rule = {
      on: ['task.*'],
      filter: { demand_id: demand },
      actions: [{ patch: { demand_id: demand, assignee_id: null } }, { comment: { content: 'Seen.' } }],
    };
    await made('/rules', { ...rule, name: 'Ours', endeavour_id: garden });
    const shed = await app.endeavour(ann);
    const elsewhere = { ...rule, filter: { demand_id: await app.demand(ann, shed) } };
    await made('/rules', { ...elsewhere, name: 'Elsewhere', endeavour_id: garden });
    const document = await exported(garden);
    const mia = await app.person('Mia');
    const target = await app.endeavour(ann);
    await app.join(target, mia, 'admin');
    const { refusals } = await imported(target, document, mia);
    expect(refusals).toMatchObject([{ code: 'invalid_input', reason: 'reference_not_found' }]);
    const [copy, ...others] = (await app.as(ann).get(`/rules?endeavour_id=${target}`).expect(200)).body.data;
    const [{ id }] = (await app.as(ann).get(`/demands?endeavour_id=${target}`).expect(200)).body.data;
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ name: 'Ours', on: ['task.*'], is_enabled: false, disabled_reason: 'imported' });
    expect(copy).toMatchObject({ owner_id: mia.resourceId, created_by: mia.resourceId, filter: { demand_id: id } });
    expect(copy.actions).toEqual([{ patch: { demand_id: id, assignee_id: null } }, { comment: { content: 'Seen.' } }]);
    await imported(target, document, mia);
    expect((await app.as(ann).get(`/rules?endeavour_id=${target}`).expect(200)).body.meta.total).toBe(1);
    await app.as(mia).patch(`/rules/${copy.id}`).send({ is_enabled: true }).expect(200);
  });

  it('bring shared views, which name the imported entities', async () => {
    const demand = await app.demand(ann, garden);
    const shed = await app.endeavour(ann);
    const view = { kind: 'task', endeavour_id: garden };
    const query = { endeavour_id: garden, demand_id: demand, filter: `demand_id = "${demand}"` };
    await made('/views', { ...view, name: 'Ours', query, columns: ['title'], group_by: 'status', is_default: true });
    await made('/views', { ...view, name: 'Elsewhere', query: { endeavour_id: shed } });
    const document = await exported(garden);
    const target = await app.endeavour(ann);
    const { refusals } = await imported(target, document);
    expect(refusals).toMatchObject([{ code: 'invalid_input', reason: 'reference_not_found' }]);
    const [copy, ...others] = (await app.as(ann).get(`/views?endeavour_id=${target}`).expect(200)).body.data;
    const [{ id }] = (await app.as(ann).get(`/demands?endeavour_id=${target}`).expect(200)).body.data;
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ name: 'Ours', columns: ['title'], group_by: 'status', is_default: true });
    expect(copy.query).toEqual({ endeavour_id: target, demand_id: id, filter: `demand_id = "${id}"` });
    await imported(target, document);
    expect((await app.as(ann).get(`/views?endeavour_id=${target}`).expect(200)).body.meta.total).toBe(1);
  });
});

/** Returns the content of an export, without ids, people and import marks. */
function contentOf(document: Document): unknown {
  const titles = new Map<unknown, unknown>([[null, null]]);
  for (const section of Object.keys(CONTENT)) {
    for (const { id, title, name, content } of document[section]) titles.set(id, title ?? name ?? content);
  }
  const endeavours = (document.endeavours ?? [document.endeavour]) as unknown as Record<
    'goals',
    Record<string, string>[]
  >[];
  for (const { id, title } of endeavours.flatMap(({ goals }) => goals)) titles.set(id, title);
  const sections = Object.entries(CONTENT).map(([section, properties]) => {
    const rows = document[section].map((item) => ({
      ...Object.fromEntries(properties.map((name) => [name, item[name]])),
      ...Object.fromEntries(REFERENCES.map((name) => [name, titles.get(item[name])])),
      metadata: { ...item.metadata, imported: undefined, result: undefined, dod_attested: undefined },
    }));
    return [section, rows.map((row) => JSON.stringify(row)).sort()];
  });
  const relations = document.relations.map(({ relationship_type, source_title, target_title }) =>
    [relationship_type, source_title, target_title].join(' '),
  );
  return [...sections, relations];
}
