import { readFileSync } from 'node:fs';
import { Importing, notesOf } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

const STAGES = [
  { name: 'Backlog', status: 'planned' },
  { name: 'Ready', status: 'planned' },
  { name: 'QA', status: 'active', wip_limit: 1 },
  { name: 'Live', status: 'done' },
  { name: 'Shipped', status: 'done' },
];
const FOLLOWS = 'the stage follows from the status';

describe('imports into stages', () => {
  let app: TestApp;
  let ann: Person;
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann, { stages: STAGES }));
  });

  afterAll(() => app.close());

  const jira = (...rows: string[]): string => `Summary,Issue key,Status\n${rows.join('\n')}\n`;
  const shown = async (): Promise<string[]> =>
    [...(await garden.tasks()).values()]
      .map((task) => `${task.title} ${task.status} ${String(task.stage_name)}`)
      .sort();
  const change = async (title: string, body: object): Promise<void> => {
    const task = (await garden.tasks()).get(title);
    await app.as(ann).patch(`/tasks/${task?.id}`).send(body).expect(200);
  };

  it('follow states of the same names, whatever these mean elsewhere, and later changes', async () => {
    await garden.run({ format: 'jira' }, jira('a,S-1,qa', 'b,S-2,QA', 'c,S-3,Live', 'd,S-4,Ready', 'e,S-5,To Do'));
    expect(await shown()).toEqual([
      'a active QA',
      'b active QA',
      'c done Live',
      'd planned Ready',
      'e planned Backlog',
    ]);
    const report = await garden.run({ format: 'jira' }, jira('a,S-1,Live', 'b,S-2,Ready', 'd,S-4,Backlog', 'e,S-5,QA'));
    expect(report).toMatchObject({ counts: { created: 0, updated: 4 }, refusals: [] });
    expect(await shown()).toEqual([
      'a done Live',
      'b planned Ready',
      'c done Live',
      'd planned Backlog',
      'e active QA',
    ]);
  });

  it('name states without a stage, and stages whose status the task does not have', async () => {
    const file = 'title,id,status,resolution\na,1,To Do,\nb,2,To Do,\nc,3,Ready,\nd,4,Live,duplicate\ne,5,Canceled,\n';
    for (const dryRun of ['true', 'false']) {
      const options = { statuses: { ready: 'done' } };
      const report = await garden.run({ format: 'csv', options, dry_run: dryRun }, file);
      expect(notesOf(report, 'value')).toEqual([
        `2 stage: "To Do" is no stage of the endeavour; ${FOLLOWS}`,
        `1 stage: "Live" is a stage of done tasks, and the task is canceled; ${FOLLOWS}`,
        `1 stage: "Ready" is a stage of planned tasks, and the task is done; ${FOLLOWS}`,
      ]);
    }
    expect(await shown()).toEqual([
      'a planned Backlog',
      'b planned Backlog',
      'c done Live',
      'd canceled null',
      'e canceled null',
    ]);
  });

  it('say nothing of stages where a status has none', async () => {
    const place = await app.endeavour(ann, { stages: [{ name: 'Live', status: 'done' }] });
    const other = new Importing(app, ann, place);
    const report = await other.run({ format: 'jira' }, jira('a,S-1,To Do', 'b,S-2,Live'));
    expect(notesOf(report, 'value')).toEqual([]);
    expect((await other.tasks()).get('a')).toMatchObject({ stage: null, status: 'planned' });
    expect((await other.tasks()).get('b')).toMatchObject({ stage_name: 'Live', status: 'done' });
  });

  it('leave tasks of an endeavour without stages as they were, and put them into stages that it has later', async () => {
    const shed = new Importing(app, ann, await app.endeavour(ann));
    const file = jira('a,S-1,QA', 'b,S-2,Ready', 'c,S-3,Ready');
    const report = await shed.run({ format: 'jira', options: { statuses: { qa: 'active' } } }, file);
    expect(notesOf(report, 'value')).toEqual([]);
    const shelf = await shed.tasks();
    expect(shelf.get('a')).toMatchObject({ status: 'active', stage: null, metadata: { imported: { format: 'jira' } } });
    expect(shelf.get('a')?.metadata.imported).not.toHaveProperty('stage');
    const stages = [...STAGES, { name: 'Soon', status: 'planned' }];
    await app.as(ann).patch(`/endeavours/${shed.endeavour}`).send({ stages }).expect(200);
    await app
      .as(ann)
      .patch(`/tasks/${shelf.get('c')?.id}`)
      .send({ stage: 'Soon' })
      .expect(200);
    const again = await shed.run({ format: 'jira' }, file);
    expect(again.counts).toMatchObject({ updated: 1, unchanged: 2 });
    // The task that was moved here since stays where it is.
    expect(notesOf(again, 'kept')).toEqual([expect.stringMatching(/^1 stage: /)]);
    const staged = [...(await shed.tasks()).values()].map((task) => `${task.title} ${String(task.stage_name)}`);
    expect(staged.sort()).toEqual(['a QA', 'b Ready', 'c Soon']);
  });

  it('keep a stage or status that was changed here and not in the source', async () => {
    await garden.run({ format: 'jira' }, jira('a,S-1,Ready', 'b,S-2,Ready', 'c,S-3,Ready'));
    await change('a', { stage: 'Backlog' });
    await change('b', { stage: 'QA' });
    const kept = await garden.run({ format: 'jira' }, jira('a,S-1,Ready', 'b,S-2,Ready', 'c,S-3,Ready'));
    expect(kept.counts).toMatchObject({ updated: 0, unchanged: 3 });
    expect(notesOf(kept, 'kept').toSorted()).toEqual([
      expect.stringMatching(/^1 stage: edited here/),
      expect.stringMatching(/^1 status: edited here/),
    ]);
    // The source moves within a status that the task has left here.
    const moved = await garden.run({ format: 'jira' }, jira('a,S-1,QA', 'b,S-2,Backlog', 'c,S-3,Backlog'));
    expect(moved.refusals).toEqual([]);
    expect(await shown()).toEqual(['a active QA', 'b active QA', 'c planned Backlog']);
  });

  it('try a status and its stage again where a rule refused it', async () => {
    await garden.run({ format: 'jira' }, jira('a,S-1,QA'));
    const condition = { type: 'field_populated', params: { field: 'description' } };
    const policy = { name: 'Described', conditions: [condition], endeavour_id: garden.endeavour };
    const { body } = await app.as(ann).post('/dod-policies').send(policy).expect(201);
    const assignment = { policy_id: body.data.id };
    await app.as(ann).post(`/endeavours/${garden.endeavour}/dod-policy`).send(assignment).expect(200);
    const refused = await garden.run({ format: 'jira' }, jira('a,S-1,Shipped'));
    expect(refused.refusals).toMatchObject([{ line: 2, code: 'dod_not_met' }]);
    expect(await shown()).toEqual(['a active QA']);
    await app.as(ann).delete(`/endeavours/${garden.endeavour}/dod-policy`).expect(200);
    const again = await garden.run({ format: 'jira' }, jira('a,S-1,Shipped'));
    expect(again).toMatchObject({ counts: { updated: 1 }, refusals: [] });
    expect(await shown()).toEqual(['a done Shipped']);
  });

  it('follow the lists of Trello, also archived ones', async () => {
    const lists = [
      { id: 'l1', name: 'QA' },
      { id: 'l2', name: 'Elsewhere' },
      { id: 'l3', name: 'Ready', closed: true },
    ];
    const cards = [
      { id: 'c1', name: 'a', idList: 'l1' },
      { id: 'c2', name: 'b', idList: 'l2' },
      { id: 'c3', name: 'c', idList: 'l1', dueComplete: true },
      { id: 'c4', name: 'd', idList: 'l3' },
    ];
    const report = await garden.run({ format: 'trello' }, { name: 'Board', lists, cards });
    expect(await shown()).toEqual(['a active QA', 'b planned Backlog', 'c done Live', 'd canceled null']);
    expect(notesOf(report, 'value').toSorted()).toEqual([
      `1 stage: "Elsewhere" is no stage of the endeavour; ${FOLLOWS}`,
      `1 stage: "QA" is a stage of active tasks, and the task is done; ${FOLLOWS}`,
      `1 stage: "Ready" is a stage of planned tasks, and the task is canceled; ${FOLLOWS}`,
    ]);
  });

  it('follow the states of Linear and of the JSON of Jira', async () => {
    const node = (identifier: string, name: string, type: string) => ({
      identifier,
      title: identifier,
      state: { name, type },
    });
    const nodes = [node('G-1', 'QA', 'unstarted'), node('G-2', 'Ready', 'started')];
    await garden.run({ format: 'linear' }, { data: { issues: { nodes } } });
    const issue = (key: string, name: string, category: string) => ({
      key,
      fields: { summary: key, status: { name, statusCategory: { key: category } } },
    });
    await garden.run({ format: 'jira' }, { issues: [issue('J-1', 'QA', 'new'), issue('J-2', 'Ready', 'done')] });
    expect(await shown()).toEqual(['G-1 active QA', 'G-2 planned Ready', 'J-1 active QA', 'J-2 planned Ready']);
  });

  it('follow the buckets of Vikunja', async () => {
    const stages = [
      { name: 'First', status: 'planned' },
      { name: 'Doing', status: 'active' },
    ];
    const pond = new Importing(app, ann, await app.endeavour(ann, { stages }));
    await pond.run({ format: 'vikunja' }, readFileSync('test/imports/vikunja.json'));
    const staged = [...(await pond.tasks()).values()].map(
      ({ status, stage_name: name }) => `${status} ${String(name)}`,
    );
    expect(staged.sort()).toEqual(['active Doing', 'done null', 'planned First']);
  });

  it('are undone like others, so that the stages are empty again', async () => {
    const { id } = await garden.run({ format: 'jira' }, jira('a,S-1,QA', 'b,S-2,Live', 'c,S-3,Ready'));
    const stages = [{ name: 'Backlog', status: 'planned' }];
    await app.as(ann).patch(`/endeavours/${garden.endeavour}`).send({ stages }).expect(409);
    const { headers } = await app.as(ann).post(`/imports/${id}/undo`).expect(202);
    const { body } = await app.ended(ann, headers.location);
    expect(body.data.result.undo).toMatchObject({ deleted: 3, stays: {} });
    await app.as(ann).patch(`/endeavours/${garden.endeavour}`).send({ stages }).expect(200);
  });

  it('follow the columns of projects of GitHub, which say how far open issues are', async () => {
    const issue = (number: number, title: string, state: string, ...columns: (string | null)[]) => ({
      number,
      title,
      state,
      projectItems: columns.map((name, n) => ({ title: `Project ${n}`, status: name === null ? null : { name } })),
    });
    const file = [
      issue(1, 'a', 'OPEN', 'Ready'),
      issue(2, 'b', 'OPEN', 'qa', 'Elsewhere'),
      issue(3, 'c', 'CLOSED', 'Shipped'),
      issue(4, 'd', 'OPEN', 'Live'),
      issue(5, 'e', 'OPEN'),
      issue(6, 'f', 'OPEN', null),
      issue(7, 'g', 'OPEN', 'In progress'),
    ];
    const report = await garden.run({ format: 'github' }, file);
    expect(await shown()).toEqual([
      'a planned Ready',
      'b active QA',
      'c done Shipped',
      'd active QA',
      'e planned Backlog',
      'f planned Backlog',
      'g active QA',
    ]);
    expect(notesOf(report, 'status')).toContain('1 Live: the issue is open; read as active');
    expect((await garden.tasks()).get('b')?.metadata).toMatchObject({ project: 'Project 0' });
    const nodes = [{ project: { title: 'Board' }, fieldValueByName: { name: 'Live' } }];
    await garden.run({ format: 'github' }, [{ number: 2, title: 'b', state: 'closed', projectItems: { nodes } }]);
    expect((await garden.tasks()).get('b')).toMatchObject({ status: 'done', stage_name: 'Live' });
    const plain = new Importing(app, ann, await app.endeavour(ann));
    await plain.run({ format: 'github' }, file);
    expect((await plain.tasks()).get('g')).toMatchObject({ status: 'active', stage: null });
  });
});
