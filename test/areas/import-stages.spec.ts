import { Importing } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

const STAGES = [
  { name: 'Backlog', status: 'planned' },
  { name: 'Ready', status: 'planned' },
  { name: 'QA', status: 'active', wip_limit: 1 },
  { name: 'Live', status: 'done' },
];

describe('imports into stages', () => {
  let app: TestApp;
  let ann: Person;
  let garden: Importing;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true' });
    ann = await app.person('Ann');
  });

  beforeEach(async () => {
    garden = new Importing(app, ann, await app.endeavour(ann, { stages: STAGES }));
  });

  afterAll(() => app.close());

  const shown = async (): Promise<string[]> =>
    [...(await garden.tasks()).values()]
      .map((task) => `${task.title} ${task.status} ${String(task.stage_name)}`)
      .sort();

  it('follow states of the same names, whatever these mean elsewhere, and later changes', async () => {
    const csv = (...rows: string[]): string => `Summary,Issue key,Status\n${rows.join('\n')}\n`;
    await garden.run({ format: 'jira' }, csv('a,S-1,qa', 'b,S-2,QA', 'c,S-3,Live', 'd,S-4,Ready', 'e,S-5,To Do'));
    expect(await shown()).toEqual([
      'a active QA',
      'b active QA',
      'c done Live',
      'd planned Ready',
      'e planned Backlog',
    ]);
    await garden.run({ format: 'jira' }, csv('a,S-1,Live', 'b,S-2,Ready', 'd,S-4,Backlog'));
    expect(await shown()).toEqual([
      'a done Live',
      'b planned Ready',
      'c done Live',
      'd planned Backlog',
      'e planned Backlog',
    ]);
  });

  it('follow the lists of Trello', async () => {
    const lists = [
      { id: 'l1', name: 'QA' },
      { id: 'l2', name: 'Elsewhere' },
    ];
    const cards = [
      { id: 'c1', name: 'a', idList: 'l1' },
      { id: 'c2', name: 'b', idList: 'l2' },
      { id: 'c3', name: 'c', idList: 'l1', dueComplete: true },
    ];
    await garden.run({ format: 'trello' }, { name: 'Board', lists, cards });
    expect(await shown()).toEqual(['a active QA', 'b planned Backlog', 'c done Live']);
  });
});
