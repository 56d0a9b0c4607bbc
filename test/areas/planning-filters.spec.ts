import { TestApp, type Person } from '../support/test-app.js';

/** A query, and the titles that it finds in the order of their creation. */
type Row = readonly [query: string, titles: readonly string[]];

/** Parameters that narrow no list. */
const NO_FILTERS = [
  'admin',
  'count',
  'cursor',
  'endeavour_id',
  'fields',
  'ids',
  'lenient',
  'limit',
  'mine',
  'offset',
  'order',
  'sort',
  'summary',
];

/** Filters of other specifications, which set-filters, dependencies, external-refs and the lists of tasks and demands test. */
const ELSEWHERE = [
  'archived',
  'assignee_id',
  'blocked',
  'completed_after',
  'completed_before',
  'created_after',
  'created_before',
  'creator_id',
  'demand_id',
  'dod',
  'due_after',
  'due_before',
  'external',
  'organization_id',
  'overdue',
  'owner_id',
  'ready',
  'search',
  'status',
  'type',
  'unassigned',
  'updated_after',
  'updated_before',
];

/**
 * Each filter of planning (spec 14): narrow, that is several values; exact; negated; and none. `{name}` stands for the id of
 * what has that name.
 */
const OF_BOTH: readonly Row[] = [
  ['label=bug', ['first', 'second']],
  ['label=bug,slow', ['first', 'second', 'third']],
  ['label=bug,slow&label.all=true', ['first']],
  ['label=bug,slow&label.all=false', ['first', 'second', 'third']],
  ['label=!bug', ['third', 'bare']],
  ['label=!bug,slow', ['bare']],
  ['label=!bug,slow&label.all=true', ['second', 'third', 'bare']],
  ['label=none', ['bare']],
  ['label=none,slow', ['first', 'third', 'bare']],
  ['label=!none', ['first', 'second', 'third']],
  ['label=BUG', ['first', 'second']],
  ['iteration=current', ['first']],
  ['iteration=next', ['second']],
  ['iteration={now}', ['first']],
  ['iteration=current,next', ['first', 'second']],
  ['iteration=!current', ['second', 'third', 'bare']],
  ['iteration=none', ['third', 'bare']],
  ['iteration=none,{now}', ['first', 'third', 'bare']],
  ['iteration=!none', ['first', 'second']],
  ['goal_id={Open}', ['first']],
  ['goal_id={Open},{Grow}', ['first', 'second']],
  ['goal_id=!{Open}', ['second', 'third', 'bare']],
  ['goal_id=none', ['third', 'bare']],
  ['goal_id=!none', ['first', 'second']],
  ['priority=urgent', ['first']],
  ['priority=urgent,low', ['first', 'second']],
  ['priority=!urgent', ['second', 'third', 'bare']],
  ['priority=!urgent,low', ['third', 'bare']],
  ['start_after=2026-01-05', ['first', 'second']],
  ['start_after=2026-01-06', ['second']],
  ['start_before=2026-02-02', ['first']],
  ['start_before=2026-02-03', ['first', 'second']],
  ['start_after=2026-01-06&start_before=2026-01-31', []],
  ['watching=true', ['first']],
  ['watching=false', ['second', 'third', 'bare']],
  ['metadata.severity=high', ['first']],
  ['metadata.severity=high,low', ['first', 'second']],
  ['metadata.severity=!high', ['second', 'third', 'bare']],
  ['metadata.severity=none', ['third', 'bare']],
  ['metadata.severity=!none', ['first', 'second']],
  ['metadata.score.min=3', ['first', 'second']],
  ['metadata.score.min=4', ['first']],
  ['metadata.score.max=3', ['second']],
  ['metadata.score.min=2&metadata.score.max=3', ['second']],
  ['filter=label:bug AND NOT priority = "urgent"', ['second']],
  ['filter=iteration:* OR label:slow', ['first', 'second', 'third']],
  ['filter=NOT goal_id:*', ['third', 'bare']],
  ['view={bugs}', ['first', 'second']],
  ['view={bugs}&priority=urgent', ['first']],
  ['view={bugs}&label=slow', ['first']],
];

const OF_TASKS: readonly Row[] = [
  ['stage=Doing', ['first']],
  ['stage=doing', ['first']],
  ['stage={Doing}', ['first']],
  ['stage=Doing,Review', ['first', 'second']],
  ['stage=!Doing', ['second', 'third', 'bare']],
  ['stage=none', ['third']],
  ['stage=none,Review', ['second', 'third']],
  ['stage=!none', ['first', 'second', 'bare']],
  ['parent_id={bare}', ['first', 'second']],
  ['parent_id={first}', ['third']],
  ['parent_id={bare},{first}', ['first', 'second', 'third']],
  ['parent_id=!{bare}', ['third', 'bare']],
  ['parent_id=none', ['bare']],
  ['parent_id=!none', ['first', 'second', 'third']],
  ['under={bare}', ['first', 'second', 'third']],
  ['under=!{first}', ['first', 'second', 'bare']],
  ['under={second}', []],
];

let app: TestApp;
let ann: Person;
let garden: string;
const ids: Record<'tasks' | 'demands', Record<string, string>> = { tasks: {}, demands: {} };

const create = async (path: string, body: object): Promise<string> =>
  (await app.as(ann).post(path).send(body).expect(201)).body.data.id;
const titlesOf = async (kind: string, query: string): Promise<string[]> => {
  const { body } = await app.as(ann).get(`/${kind}?endeavour_id=${garden}&sort=created_at&${query}`).expect(200);
  return body.data.map(({ title }: { title: string }) => title);
};
/** The query with ids for names, encoded. */
const filled = (kind: 'tasks' | 'demands', query: string): string => {
  const named = query.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[kind][name]);
  return named.replaceAll(/=(.*?)(?=&|$)/g, (_, value: string) => `=${encodeURIComponent(value)}`);
};

beforeAll(async () => {
  app = await TestApp.open();
  ann = await app.person('Ann');
  garden = await app.endeavour(ann, {
    goals: ['Open', 'Grow'],
    stages: [
      { name: 'Backlog', status: 'planned' },
      { name: 'Doing', status: 'active' },
      { name: 'Review', status: 'active' },
    ],
    fields: [
      { key: 'severity', type: 'choice', options: ['low', 'high'] },
      { key: 'score', type: 'number' },
    ],
  });
  const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
  const days = (month: string) => ({ start_day: `2026-${month}-02`, end_day: `2026-${month}-20` });
  const iteration = (name: string, month: string) =>
    create('/iterations', { name, endeavour_id: garden, ...days(month) });
  const [now, next] = [await iteration('now', '03'), await iteration('next', '04')];
  await iteration('last', '05');
  await app.as(ann).patch(`/iterations/${now}`).send({ status: 'active' }).expect(200);
  const goals = Object.fromEntries(body.data.goals.map(({ id, title }: Record<string, string>) => [title, id]));
  const stages = Object.fromEntries(body.data.stages.map(({ id, name }: Record<string, string>) => [name, id]));
  for (const [path, kind] of [
    ['tasks', 'task'],
    ['demands', 'demand'],
  ] as const) {
    const known: Record<string, string> = { now, next, ...goals, ...stages };
    const make = async (title: string, more: object) => {
      known[title] = await create(`/${path}`, {
        title,
        endeavour_id: garden,
        ...(kind === 'demand' && { type: 'story' }),
        ...more,
      });
    };
    await make('first', {
      labels: ['bug', 'slow'],
      iteration_id: now,
      goal_id: goals.Open,
      priority: 'urgent',
      start_date: '2026-01-05',
      metadata: { severity: 'high', score: 5 },
    });
    await make('second', {
      labels: ['Bug'],
      iteration_id: next,
      goal_id: goals.Grow,
      priority: 'low',
      start_date: '2026-02-02',
      metadata: { severity: 'low', score: 3 },
    });
    await make('third', { labels: ['slow'] });
    await make('bare', {});
    await app.as(ann).put(`/${path}/${known.first}/watch`).expect(200);
    const query = { endeavour_id: garden, label: 'bug' };
    known.bugs = await create('/views', { name: 'Bugs', kind, query, endeavour_id: garden });
    ids[path] = known;
  }
  const { first, second, third, bare } = ids.tasks;
  const patch = (id: string, changes: object) => app.as(ann).patch(`/tasks/${id}`).send(changes).expect(200);
  await patch(first, { parent_id: bare, stage: stages.Doing });
  await patch(second, { parent_id: bare, stage: stages.Review });
  await patch(third, { parent_id: first, status: 'canceled', canceled_reason: 'Rain' });
});

afterAll(() => app.close());

describe.each(['tasks', 'demands'] as const)('the filters of planning of %s', (kind) => {
  it.each(kind === 'tasks' ? [...OF_BOTH, ...OF_TASKS] : OF_BOTH)('%s', async (query, titles) => {
    expect(await titlesOf(kind, filled(kind, query))).toEqual(titles);
  });

  it('find tasks and demands by their keys', async () => {
    const { first, second } = ids[kind];
    const keyOf = async (id: string): Promise<string> =>
      (await app.as(ann).get(`/${kind}/${id}`).expect(200)).body.data.key;
    const [one, other] = [await keyOf(first), await keyOf(second)];
    expect(await titlesOf(kind, `key=${one}`)).toEqual(['first']);
    expect(await titlesOf(kind, `key=${one.toLowerCase()},${second}`)).toEqual(['first', 'second']);
    expect(await titlesOf(kind, `key=!${one},${other}`)).toEqual(['third', 'bare']);
  });

  it('are all in the table, or of another specification', () => {
    const { parameters } = app.document.paths[`/api/v1/${kind}`].get as { parameters: { in: string; name: string }[] };
    const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const tried = [...OF_BOTH, ...OF_TASKS].flatMap(([query]) => [...query.matchAll(/(?:^|&)([\w.]+)=/g)]);
    const known = [...NO_FILTERS, ...ELSEWHERE, 'key', ...tried.map(([, name]) => name)];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(['label=a,!b', 'iteration=soon', 'goal_id=rubbish', 'priority=none', 'watching=perhaps', 'start_after=soon'])(
    'refuse %s',
    async (query) => {
      const { body } = await app.as(ann).get(`/${kind}?endeavour_id=${garden}&${query}`).expect(400);
      expect(body.error.details.fields).toEqual([expect.objectContaining({ field: query.split('=')[0] })]);
    },
  );
});
