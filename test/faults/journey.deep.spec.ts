import { ensureBuilt } from '../../scripts/build.mjs';
import { compareJourney, runJourney } from './journey.mjs';
import { expectationsOf, readBacklog } from './support/backlog.mjs';
import { closeAll } from './support/opened.mjs';

const AGENTS = 20;

describe('a backlog that is imported into an empty service', () => {
  beforeAll(ensureBuilt);
  afterAll(closeAll);

  const small = readBacklog(new URL('../imports/backlog.jsonl', import.meta.url).pathname);
  const long = { key: 'TR-21', title: 'Long', created_at: '2013-03-01T10:00:00Z', description: '😀'.repeat(50_001) };
  const unclean = { key: 'TR-23', title: 'A form\ffeed', created_at: '2013-03-01T10:00:00Z' };
  const waiting = {
    key: 'TR-22',
    title: 'Waits',
    created_at: '2013-03-02T10:00:00Z',
    closed_at: '2013-08-01T10:00:00Z',
    depends_on: ['TR-18'],
  };

  it('matches its file, and each of its ready tasks is claimed by one agent', async () => {
    const more = [{ ...long, duplicate_of: 'TR-1' }, unclean, waiting];
    const issues = [...small, ...more.map((issue) => ({ ...small[0], ...issue }))];
    const figures = compareJourney(await runJourney({ issues, agents: AGENTS }));
    for (const [figure, reached, expected] of figures) expect([figure, reached]).toEqual([figure, expected]);
    expect(figures).toHaveLength(23);
  });

  it('has expected figures that match its file', () => {
    expect(expectationsOf(small)).toMatchObject({
      since: '2013-01-01T00:00:00Z',
      tasks: 20,
      refused: 2,
      comments: 6,
      relations: 8,
      states: { planned: 12, done: 2, canceled: 6 },
      blocked: 4,
      assigned: 3,
      ready: 6,
      years: [
        { year: 2011, created: 4, completed: 2, closed: 3, planned: 1, done: 2, canceled: 1 },
        { year: 2012, created: 7, completed: 0, closed: 5, planned: 3, done: 2, canceled: 6 },
        { year: 2013, created: 7, completed: 0, closed: 0, planned: 10, done: 2, canceled: 6 },
        { year: 2014, created: 2, completed: 0, closed: 0, planned: 12, done: 2, canceled: 6 },
      ],
    });
  });
});
