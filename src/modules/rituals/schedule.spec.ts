import { wallTimeAt } from '../../common/time.js';
import { nextTime, nextTimes, scheduleError, type Schedule } from './schedule.js';

const defaults = { timezone: 'Europe/Berlin', start: new Date('2026-01-05T08:00:00Z') };
const times = (schedule: Schedule, after: string, count = 3): string[] =>
  nextTimes(schedule, new Date(after), count, defaults).map((time) => time.toISOString().replace(':00.000Z', 'Z'));
const cron = (expression: string, timezone?: string): Schedule => ({ type: 'cron', expression, timezone });
const interval = (every: string, start?: string, timezone?: string): Schedule => ({
  type: 'interval',
  every,
  start,
  timezone,
});

/** The wall time of a zone at each minute of a period. */
function minutesOf(timezone: string, begin: number, until: number): [at: number, wall: number][] {
  return Array.from({ length: (until - begin) / 60_000 + 1 }, (_, n) => {
    const at = begin + n * 60_000;
    return [at, wallTimeAt(at, timezone)];
  });
}

/** The minutes at which the expression is due: each wall time counts once, skipped ones at the change of the clock. */
function dueMinutes(expression: string, minutes: [at: number, wall: number][], after: number): Date[] {
  const fields = expression.split(' ');
  const matches = (wall: number): boolean => {
    const at = new Date(wall);
    const values = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
    return fields.every((field, n) => field.split(',').some((item) => holds(item, values[n])));
  };
  const isHourly = fields[1].startsWith('*');
  let latest = minutes[0][1];
  const found: Date[] = [];
  for (const [at, wall] of minutes.slice(1)) {
    let isDue = false;
    for (let jumped = latest + 60_000; jumped <= wall; jumped += 60_000) isDue ||= matches(jumped);
    if (wall <= latest && isHourly) isDue = matches(wall);
    latest = Math.max(latest, wall);
    if (isDue && at > after) found.push(new Date(at));
  }
  return found;
}

function holds(item: string, value: number): boolean {
  const [range, step = '1'] = item.split('/');
  const [from, to = from] = range === '*' ? ['0', '99'] : range.split('-');
  return value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0;
}

describe('a cron schedule', () => {
  it('keeps the time of day when the clock changes, in the default time zone or its own', () => {
    expect(times(cron('0 9 * * 1-5'), '2026-10-22T12:00:00Z')).toEqual([
      '2026-10-23T07:00Z',
      '2026-10-26T08:00Z',
      '2026-10-27T08:00Z',
    ]);
    expect(times(cron('0 9 * * *', 'America/New_York'), '2026-03-07T00:00:00Z')).toEqual([
      '2026-03-07T14:00Z',
      '2026-03-08T13:00Z',
      '2026-03-09T13:00Z',
    ]);
  });

  it('is due once at a time that the clock skips or repeats', () => {
    expect(times(cron('30 2 * * *'), '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00Z', '2026-03-30T00:30Z']);
    expect(times(cron('30 2 * * *'), '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30Z', '2026-10-26T01:30Z']);
  });

  it('with a step of minutes is due in both occurrences of a repeated hour', () => {
    expect(times(cron('*/30 * * * *'), '2026-10-25T00:10:00Z', 4)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
    ]);
  });

  it('of every hour continues through clock changes, and is due right after a skipped time', () => {
    expect(times(cron('45 * * * *'), '2026-03-28T23:50:00Z', 4)).toEqual([
      '2026-03-29T00:45Z',
      '2026-03-29T01:00Z',
      '2026-03-29T01:45Z',
      '2026-03-29T02:45Z',
    ]);
    expect(times(cron('0 */2 * * *'), '2026-10-24T21:00:00Z', 4)).toEqual([
      '2026-10-24T22:00Z',
      '2026-10-25T00:00Z',
      '2026-10-25T01:00Z',
      '2026-10-25T03:00Z',
    ]);
  });

  it.each([
    'America/Nuuk',
    'Asia/Beirut',
    'Africa/Cairo',
    'America/Santiago',
    'America/Havana',
    'Atlantic/Azores',
    'Asia/Gaza',
  ])('skips no midnight in %s', (timezone) => {
    const found = nextTimes(cron('0 0 * * *', timezone), new Date('2024-01-01T12:00:00Z'), 800, defaults);
    const shown = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
    const days = found.map((time) => shown.format(time));
    expect(new Set(days).size).toBe(800);
    const [first, last] = [Date.parse(days[0]), Date.parse(days[799])];
    expect((last - first) / 86_400_000).toBe(799);
    for (const time of found) expect(shown.format(new Date(time.getTime() - 1))).not.toBe(shown.format(time));
  });

  it('agrees with a check of every minute, for any time zone and expression', () => {
    const expressions = [
      '0 0 * * *',
      '30 2 * * *',
      '15,45 1-3 * * *',
      '*/20 * * * *',
      '50 */3 * * 0',
      '5 23 30,31 * *',
    ];
    const changes = [
      'America/Nuuk 2025-03-29',
      'America/Nuuk 2025-10-25',
      'Europe/Berlin 2026-03-28',
      'Europe/Berlin 2026-10-24',
      'Australia/Lord_Howe 2025-10-04',
      'Australia/Lord_Howe 2026-04-04',
      'Pacific/Apia 2011-12-29',
      'Africa/Cairo 2025-04-24',
      'Africa/Cairo 2025-10-30',
    ];
    for (const [timezone, day] of changes.map((change) => change.split(' '))) {
      const after = Date.parse(`${day}T00:00:00Z`);
      const until = after + 2 * 86_400_000;
      const minutes = minutesOf(timezone, after - 86_400_000, until);
      for (const expression of expressions) {
        const found = nextTimes(cron(expression, timezone), new Date(after), 200, defaults);
        const expected = dueMinutes(expression, minutes, after);
        expect([timezone, expression, found.filter((time) => time.getTime() <= until)]).toEqual([
          timezone,
          expression,
          expected,
        ]);
      }
    }
  });

  it('finds leap days', () => {
    expect(times(cron('0 0 29 2 *', 'UTC'), '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00Z',
      '2032-02-29T00:00Z',
    ]);
  });

  it('is due strictly after the given time', () => {
    expect(times(cron('* * * * *'), '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T00:01Z']);
    expect(times(cron('* * * * *'), '2026-01-01T00:00:59.999Z', 1)).toEqual(['2026-01-01T00:01Z']);
  });
});

describe('an interval', () => {
  it('of days and weeks keeps the time of day when the clock changes', () => {
    const fortnight = interval('2w', '2026-10-12T09:00:00+02:00');
    expect(times(fortnight, '2026-10-12T06:00:00Z')).toEqual([
      '2026-10-12T07:00Z',
      '2026-10-26T08:00Z',
      '2026-11-09T08:00Z',
    ]);
    expect(times(interval('1d', '2026-03-28T02:30:00+01:00'), '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
    expect(times(interval('1d', '2026-10-12T07:00:00Z', 'UTC'), '2026-10-25T12:00:00Z', 1)).toEqual([
      '2026-10-26T07:00Z',
    ]);
  });

  it('of minutes and hours is a fixed duration', () => {
    expect(times(interval('12h', '2026-10-24T08:00:00Z'), '2026-10-24T08:00:00Z')).toEqual([
      '2026-10-24T20:00Z',
      '2026-10-25T08:00Z',
      '2026-10-25T20:00Z',
    ]);
    expect(times(interval('45m', '2026-01-01T00:00:00Z'), '2026-01-01T01:00:00Z', 2)).toEqual([
      '2026-01-01T01:30Z',
      '2026-01-01T02:15Z',
    ]);
  });

  it('without a start counts from the default start', () => {
    expect(times(interval('2h'), '2026-01-05T08:00:00Z', 2)).toEqual(['2026-01-05T10:00Z', '2026-01-05T12:00Z']);
    expect(times(interval('1w'), '2026-03-29T12:00:00Z', 1)).toEqual(['2026-03-30T07:00Z']);
  });

  it('finds the next time quickly, even decades after its start', () => {
    const started = performance.now();
    expect(times(interval('1d', '1970-01-01T09:00:00Z', 'UTC'), '2026-01-01T09:00:00Z', 1)).toEqual([
      '2026-01-02T09:00Z',
    ]);
    expect(performance.now() - started).toBeLessThan(100);
  });

  it('has no times after the year 9999', () => {
    expect(times(interval('9999w', '9998-01-01T00:00:00Z'), '9998-06-01T00:00:00Z')).toEqual([]);
  });

  it('agrees with a count of days, in any time zone', () => {
    for (const timezone of ['Pacific/Apia', 'America/Sao_Paulo', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
      let last = new Date('2018-01-01T03:00:00Z');
      const schedule = interval('3d', '2018-01-01T03:00:00Z', timezone);
      const shown = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
      const first = Date.parse(shown.format(last));
      for (let count = 1; count < 250; count += 1) {
        const next = nextTime(schedule, last, defaults);
        expect(next?.getTime()).toBeGreaterThan(last.getTime());
        last = next as Date;
        expect((Date.parse(shown.format(last)) - first) / 86_400_000).toBe(3 * count);
      }
    }
  });
});

it('a manual schedule is never due', () => {
  expect(times({ type: 'manual' }, '2026-01-01T00:00:00Z')).toEqual([]);
});

it.each([
  { type: 'manual' },
  { type: 'cron', expression: '0 9 * * 1-5' },
  { type: 'cron', expression: '*/5 8-17 1,15 JAN-JUN MON', timezone: 'Europe/Berlin' },
  { type: 'cron', expression: '0-30/10 9 * jan,DEC sun,1-5,7' },
  { type: 'interval', every: '90m' },
  { type: 'interval', every: '2w', start: '2026-11-23T09:00:00Z', timezone: 'Asia/Tokyo' },
])('accepts %j as a schedule', (value) => expect(scheduleError(value)).toBeUndefined());

it.each([
  null,
  'daily',
  [],
  {},
  { type: 'hourly' },
  { type: 'manual', every: '1h' },
  { type: 'cron' },
  { type: 'cron', expression: '' },
  { type: 'cron', expression: '0 9 * *' },
  { type: 'cron', expression: '0 0 9 * * *' },
  { type: 'cron', expression: '@daily' },
  { type: 'cron', expression: '60 * * * *' },
  { type: 'cron', expression: '0 9 L * *' },
  { type: 'cron', expression: '0 9 * * 5L' },
  { type: 'cron', expression: '0 9 * * 1#2' },
  { type: 'cron', expression: '0 9 15W * *' },
  { type: 'cron', expression: '0 9 * * +1' },
  { type: 'cron', expression: '0 9 ? * *' },
  { type: 'cron', expression: '0 5/2 * * *' },
  { type: 'cron', expression: '0 9-5 * * *' },
  { type: 'cron', expression: '*/0 * * * *' },
  { type: 'cron', expression: '*/60 * * * *' },
  { type: 'cron', expression: '0,, 9 * * *' },
  { type: 'cron', expression: '0 9 JAN * *' },
  { type: 'cron', expression: '0 9 0 * *' },
  { type: 'cron', expression: '-1 9 * * *' },
  { type: 'cron', expression: '0 9 * * 8' },
  { type: 'cron', expression: 'a b c d e' },
  { type: 'cron', expression: '0 0 30 2 *' },
  { type: 'cron', expression: ['0', '9', '*', '*', '*'] },
  { type: 'cron', expression: `${'0-59,'.repeat(50)}1 * * * *` },
  { type: 'cron', expression: '0 9 * * *', timezone: 'Mars/Olympus' },
  { type: 'cron', expression: '0 9 * * *', timezone: '+01:00' },
  { type: 'cron', expression: '0 9 * * *', every: '1d' },
  { type: 'interval' },
  { type: 'interval', every: '0d' },
  { type: 'interval', every: '1y' },
  { type: 'interval', every: '1.5h' },
  { type: 'interval', every: '-1h' },
  { type: 'interval', every: '10000d' },
  { type: 'interval', every: 'P1D' },
  { type: 'interval', every: 1 },
  { type: 'interval', every: '1d', start: 'tomorrow' },
  { type: 'interval', every: '1d', start: '2026-11-23' },
  { type: 'interval', every: '1d', start: 5 },
  { type: 'interval', every: '1d', end: '2026-11-23T09:00:00Z' },
])('rejects %j as a schedule', (value) => expect(scheduleError(value)).toEqual(expect.any(String)));
