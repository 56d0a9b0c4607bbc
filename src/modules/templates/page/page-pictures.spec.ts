import fc from 'fast-check';
import type { GraphTask } from '../../tasks/graph/graph.rules.js';
import { graphExcerptOf } from '../../tasks/graph/graph.excerpt.js';
import type { Progress } from '../../tasks/progress/progress.rules.js';
import { picturesOf } from './page-pictures.js';

const HOSTILE = [
  '</title><script>alert(1)</script>',
  '</style><style>*{background:url(https://a.example)}',
  '</text></svg><img src=x onerror=alert(1)>',
  '" onload="alert(1)',
  "' onload='alert(1)",
  ']]><script>alert(1)</script>',
  '<![CDATA[<svg/onload=alert(1)>]]>',
  '<foreignObject><body onload=alert(1)>',
  '&lt;script&gt;',
  '<a xlink:href="javascript:alert(1)">x</a>',
];

const TAGS = 'defs div figcaption figure g li marker p path rect span svg text title ul'.split(' ');
const NAMES = (
  'aria-hidden aria-label class d height id lang marker-end markerHeight markerWidth opacity orient preserveAspectRatio refX refY ' +
  'role rx tabindex text-anchor transform viewBox width x xmlns y'
).split(' ');
const MARKUP = new RegExp(`^</?(?:${TAGS.join('|')})(?: (?:${NAMES.join('|')})="[^"<>]*")*/?>$`);

/** Everything that a browser would parse as markup. */
const markupOf = (html: string): string[] => html.match(/<[^>]*>?/g) ?? [];

const task = (n: number, title: string, status: GraphTask['status'] = 'planned'): GraphTask => ({
  id: `task ${n}`,
  key: null,
  title,
  status,
  estimate: 1,
  due_date: null,
  assignee_id: null,
  assignee_name: null,
  blocked_by_count: 0,
  blocked_by: [],
});
const edge = (from: number, to: number) => ({
  from: `task ${from}`,
  to: `task ${to}`,
  type: 'dependency' as const,
  relation_id: `${from} ${to}`,
});
const day = (date: string, done: number) => ({
  date,
  starts_at: date,
  ends_at: date,
  planned: 3,
  active: 1,
  done,
  canceled: 0,
  created: 1,
  completed: 1,
  closed: 1,
  reopened: 0,
  hours: 1,
});
const noDay = (date: string) => ({ ...day(date, 0), planned: 0, active: 0 });
const progress = {
  intervals: [
    ...Array.from({ length: 27 }, (_, n) => noDay(`before ${n}`)),
    day('2026-11-22', 1),
    day('2026-11-23', 2),
  ],
  cycle_time: { tasks: 2, median_hours: 10.5, p85_hours: 1_234 },
  forecast: { open: 4, sampled_days: 2, p50_date: '2026-11-27', p85_date: '2026-11-29' },
} as Progress;
const counts = { planned: 3_000, active: 1, done: 2, canceled: 0 };
const page = { lang: 'en', hasPictures: true } as const;

/** The texts that a reader of the pictures sees. */
const textsOf = (html: string): string[] =>
  [...html.matchAll(/<(?:figcaption|p class="note"|text[^>]*)>([^<]*)</g)].map(([, text]) => text);

describe('the pictures of a page', () => {
  it('show the split by status, the flow, the trend and the graph, in the language of the template', async () => {
    const graph = await graphExcerptOf([task(1, 'Frame'), task(2, 'Door')], [edge(1, 2)]);
    const trend = [{ day: '2026-11-23', created: 3, done: 2 }];
    const drawn = picturesOf(
      { ...page, lang: 'de-CH', scope: 'endeavour', progress, graph },
      { counts: { tasks: counts }, trend },
    );
    expect(drawn.match(/<svg class="chart part"/g)).toHaveLength(2);
    expect(drawn.match(/<svg[^>]* class="graph"/g)).toHaveLength(1);
    expect(drawn).toContain('<div class="pictures" lang="de">');
    expect(drawn).toContain('</svg>geplant 3.000</li>');
    const flow = drawn.slice(drawn.indexOf('class="chart part"'));
    expect(flow.slice(0, flow.indexOf('</svg>')).match(/>before \d+</g)).toEqual([
      '>before 22<',
      '>before 24<',
      '>before 26<',
    ]);
    expect(drawn).not.toMatch(/NaN|undefined|Infinity|\{\w+\}/);
    expect(textsOf(drawn)).toEqual(
      expect.arrayContaining([
        'Aufgaben nach Stand',
        'Verlauf der letzten 30 Tage',
        'Durchlaufzeit: 10,5 h im Median, 1.234 h für 85 % der Aufgaben.',
        'Prognose: Alles ist bis 2026-11-27 (50 %) oder 2026-11-29 (85 %) erledigt.',
        'Angelegt und erledigt in den letzten zwei Wochen',
        'Abhängigkeiten der Aufgaben',
        'Der kritische Pfad ist umrandet.',
        'Frame',
        'geplant',
      ]),
    );
  });

  it('are absent if there is nothing to show', async () => {
    const none = { planned: 0, active: 0, done: 0, canceled: 0 };
    const empty = { ...progress, intervals: [{ ...day('2026-11-23', 0), ...none }] };
    const graph = await graphExcerptOf([task(1, 'Alone')], []);
    expect(picturesOf({ ...page, scope: 'endeavour', progress: empty, graph }, { counts: { tasks: none } })).toBe('');
    expect(picturesOf({ ...page, scope: 'task', graph }, {})).toBe('');
    expect(picturesOf({ ...page, scope: 'ritual' }, {})).toBe('');
    expect(picturesOf({ ...page, scope: 'organization' }, { endeavours: [{ name: 'A', progress: none }] })).toBe('');
  });

  it('say how many tasks and endeavours they leave out', async () => {
    const tasks = Array.from({ length: 300 }, (_, n) => task(n, `Task ${n}`));
    const chain = tasks.slice(1).map((_, n) => edge(n, n + 1));
    const long = picturesOf({ ...page, scope: 'endeavour', graph: await graphExcerptOf(tasks, chain) }, {});
    expect(textsOf(long)).toContain('5 of 300 shown');
    expect(long.match(/<rect/g)).toHaveLength(5);
    const star = tasks.slice(1).map((_, n) => edge(0, n + 1));
    expect(
      textsOf(picturesOf({ ...page, scope: 'endeavour', graph: await graphExcerptOf(tasks, star) }, {})),
    ).toContain('11 of 300 shown');
    expect(textsOf(picturesOf({ ...page, scope: 'endeavour', graph: null }, {}))).toContain(
      'More than 2,000 tasks depend on each other, which is too many for a picture.',
    );
    const endeavours = Array.from({ length: 200 }, (_, n) => ({
      name: `Garden ${n}`,
      progress: { ...counts, done: n },
    }));
    const many = picturesOf({ ...page, scope: 'organization' }, { endeavours, endeavour_total: 1_500 });
    expect(textsOf(many)).toContain('20 of 1,500 shown');
    expect(many.match(/class="chart bar"/g)).toHaveLength(20);
    expect(many).toContain('<span>Garden 199</span><span>199 / 3,200</span>');
  });

  it('leave out what is finished before they leave out what is open, and begin with the critical path', async () => {
    const tasks = Array.from({ length: 40 }, (_, n) => task(n, `Task ${n}`, n < 30 ? 'done' : 'planned'));
    const chain = tasks.slice(1).map((_, n) => edge(n, n + 1));
    const { graph, total } = await graphExcerptOf([...tasks, task(99, 'Beside')], [...chain, edge(99, 31)]);
    expect(total).toBe(41);
    expect(graph.levels).toEqual([['task 30', 'task 99'], ['task 31'], ['task 32'], ['task 33'], ['task 34']]);
    expect(graph.critical_path.task_ids).toEqual(graph.levels.map(([first]) => first));
  });

  it('contain no markup from the names', async () => {
    const name = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 12 })), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(name, name, async (first, second) => {
        const [title, other] = [first.join(''), second.join('')];
        const graph = await graphExcerptOf([task(1, title), task(2, other)], [edge(1, 2)]);
        const drawn = picturesOf({ ...page, scope: 'endeavour', progress, graph }, {});
        const bars = picturesOf(
          { ...page, scope: 'organization' },
          { endeavours: [{ name: title, progress: counts }] },
        );
        expect(markupOf(drawn + bars).filter((markup) => !MARKUP.test(markup))).toEqual([]);
      }),
      { numRuns: 300, endOnFailure: true },
    );
  });
});
