import { readFileSync } from 'node:fs';
import { Importing } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

const response = readFileSync('test/imports/linear.json', 'utf8');
const csv = readFileSync('test/imports/linear.csv', 'utf8');

describe('imports from Linear', () => {
  let app: TestApp;
  let ann: Person;
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann));
  });

  afterAll(() => app.close());

  const named = (report: { notes: { kind: string; name: string }[] }) =>
    report.notes.map(({ kind, name }) => `${kind} ${name}`);
  /** The relations of a task, as type and key of the other. */
  const relationsOf = async (title: string): Promise<string[]> => {
    const tasks = await garden.tasks();
    const { id } = tasks.get(title) ?? { id: '' };
    const { body } = await app.as(ann).get(`/relations?entity_id=${id}`).expect(200);
    return body.data
      .map((one: Record<string, string>) => {
        const isSource = one.source_entity_id === id;
        const other = isSource ? one.target_entity_id : one.source_entity_id;
        const [name] = [...tasks].find(([, task]) => task.id === other) ?? [''];
        return `${isSource ? '' : 'of '}${one.relationship_type} ${name}`;
      })
      .toSorted();
  };

  it('take a mapping of columns, which the report names only for JSON', async () => {
    const mapping = { Team: 'metadata.crew' };
    const report = await garden.run({ format: 'linear', mapping }, csv);
    expect(report.notes.filter(({ kind }) => kind === 'mapping')).toEqual([]);
    expect((await garden.tasks()).get('Dig the pond')?.metadata).toMatchObject({ crew: 'Garden' });
    const { notes } = await garden.run({ format: 'linear', mapping }, response);
    expect(notes.filter(({ kind }) => kind === 'mapping')).toMatchObject([{ message: 'JSON has no columns' }]);
  });

  it('create the tasks of a response of the API with comments, relations and times', async () => {
    const report = await garden.run({ format: 'linear' }, response);
    expect(report.counts).toEqual({ created: 4, updated: 0, unchanged: 0, comments: 1, relations: 3 });
    expect(report.refusals).toEqual([
      expect.objectContaining({ line: 5, external_id: 'GAR-5', message: expect.stringContaining('trash') }),
    ]);
    expect(named(report)).toEqual(
      expect.arrayContaining(['truncated issues', 'truncated comments', 'property attachments']),
    );
    const tasks = await garden.tasks();
    expect(tasks.get('Dig the pond')).toMatchObject({
      description: '**Deep**',
      status: 'done',
      dod: { result: 'imported' },
      due_day: '2024-05-10',
      priority: 'urgent',
      points: 3,
      estimate: null,
      created_at: '2024-05-01T10:00:00.000Z',
      started_at: '2024-05-02T09:00:00.000Z',
      completed_at: '2024-05-03T08:00:00.000Z',
      assignee_id: ann.resourceId,
      external_ref: { source: 'linear', id: 'GAR-1', url: 'https://linear.app/garden/issue/GAR-1/dig-the-pond' },
      labels: ['heavy', 'water'],
      metadata: {
        cycle: '4',
        team: 'Garden',
        project: 'Water',
        milestone: 'Spring',
        imported: { author: 'Zoe', cycle_start: '2024-05-01T00:00:00.000Z', cycle_end: '2024-05-15T00:00:00.000Z' },
      },
    });
    expect(await garden.statuses()).toEqual({
      'Dig the pond': 'done',
      'Line the pond': 'active',
      'Fill the pond': 'canceled',
      Forgotten: 'canceled',
    });
    expect(tasks.get('Forgotten')?.canceled_reason).toContain('archived');
    expect(tasks.get('Line the pond')?.priority).toBeNull();
    expect(await relationsOf('Dig the pond')).toEqual([
      'blocks Fill the pond',
      'parent_of Line the pond',
      'relates_to Line the pond',
    ]);
    const again = await garden.run({ format: 'linear' }, response);
    expect(again.counts).toEqual({ created: 0, updated: 0, unchanged: 4, comments: 0, relations: 0 });
  });

  it('accept pages in an array, and the issues alone', async () => {
    const { nodes } = JSON.parse(response).data.issues;
    const pages = [nodes.slice(0, 2), nodes.slice(2)].map((page) => ({ data: { issues: { nodes: page } } }));
    expect((await garden.run({ format: 'linear', dry_run: 'true' }, pages)).counts).toMatchObject({ created: 4 });
    expect((await garden.run({ format: 'linear', dry_run: 'true' }, nodes)).counts).toMatchObject({ created: 4 });
    expect((await garden.run({ format: 'linear', dry_run: 'true' }, { nodes })).counts).toMatchObject({ created: 4 });
  });

  it('create the tasks of a CSV export, and recognize those of the API again', async () => {
    const report = await garden.run({ format: 'linear' }, csv);
    expect(report.refusals).toEqual([]);
    expect(report.counts).toMatchObject({ created: 4, relations: 4 });
    expect(named(report)).toEqual(expect.arrayContaining(['column Project ID', 'column Updated', 'value priority']));
    const tasks = await garden.tasks();
    expect(tasks.get('Dig the pond')).toMatchObject({
      status: 'done',
      due_day: '2024-05-10',
      created_at: '2024-05-01T10:00:00.000Z',
      started_at: '2024-05-02T09:00:00.000Z',
      completed_at: '2024-05-03T08:00:00.000Z',
      assignee_id: ann.resourceId,
      priority: 'urgent',
      points: 3,
      labels: ['heavy', 'water'],
      metadata: { cycle: 'Digging', project: 'Water' },
    });
    expect(tasks.get('=SUM of all ponds')).toMatchObject({ status: 'active', description: '- line it' });
    expect(tasks.get('Fill the pond')).toMatchObject({ status: 'canceled', canceled_reason: 'Dropped for now' });
    expect(tasks.get('Weed the beds')).toMatchObject({ status: 'planned' });
    expect(await relationsOf('Dig the pond')).toEqual([
      'blocks =SUM of all ponds',
      'of duplicates Fill the pond',
      'parent_of =SUM of all ponds',
      'relates_to =SUM of all ponds',
    ]);
    expect((await garden.run({ format: 'linear' }, csv)).counts).toMatchObject({
      created: 0,
      unchanged: 4,
      relations: 0,
    });
    expect((await garden.run({ format: 'linear' }, response)).counts).toMatchObject({ created: 0 });
  });

  it('are rejected if the file is an error of the API, or has no issue', async () => {
    const errors = { errors: [{ message: 'Authentication required' }], data: null };
    expect(await garden.refusal({ format: 'linear' }, errors)).toContain('error of the API');
    expect(await garden.refusal({ format: 'linear' }, { data: { viewer: { id: 'u1' } } })).toContain('properties data');
    expect(await garden.refusal({ format: 'linear' }, 'Name,Owner\nPond,Ann\n')).toContain('Name, Owner');
  });
});
