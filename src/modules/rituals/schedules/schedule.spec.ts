import fc from 'fast-check';
import { wallTimeAt } from '../../../common/time.js';
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

/**
 * The wall time of a zone at each minute of a period. Formatting every minute takes a second for each month, so the minutes of
 * an hour at whose end the clock shows an hour more are counted on.
 */
function minutesOf(timezone: string, begin: number, until: number): [at: number, wall: number][] {
  const found: [at: number, wall: number][] = [[begin, wallTimeAt(begin, timezone)]];
  for (let from = begin; from < until; from += 3_600_000) {
    const wall = found[found.length - 1][1];
    const isEven = wallTimeAt(from + 3_600_000, timezone) === wall + 3_600_000;
    for (let at = from + 60_000; at <= Math.min(from + 3_600_000, until); at += 60_000) {
      found.push([at, isEven ? wall + at - from : wallTimeAt(at, timezone)]);
    }
  }
  return found;
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

/** The days of a month of UTC on which a monthly schedule is due, found by looking at all of them. */
function dueDay(on: string, year: number, month: number): number {
  const days = Array.from({ length: 31 }, (_, n) => new Date(Date.UTC(year, month, n + 1))).filter(
    (day) => day.getUTCMonth() === month,
  );
  const [first, second] = on.split(' ');
  if (second === undefined) return (days[Number(first) - 1] ?? days.at(-1)).getTime();
  if (second === 'day') return days[days.length - 1].getTime();
  const named = days.filter(
    (day) => day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase() === second,
  );
  return (named[['1st', '2nd', '3rd', '4th', '5th'].indexOf(first)] ?? named[named.length - 1]).getTime();
}

describe('a monthly schedule', () => {
  const monthly = (on: string, time: string, timezone?: string): Schedule => ({ type: 'monthly', on, time, timezone });

  it('is due on the last day of a month that lacks the day, and on the last day of the week that it lacks', () => {
    const days = (on: string) =>
      times(monthly(on, '18:00', 'UTC'), '2028-01-01T00:00:00Z', 4).map((time) => time.slice(5, 10));
    expect(days('31')).toEqual(['01-31', '02-29', '03-31', '04-30']);
    expect(days('30')).toEqual(['01-30', '02-29', '03-30', '04-30']);
    expect(days('last day')).toEqual(['01-31', '02-29', '03-31', '04-30']);
    expect(days('last friday')).toEqual(['01-28', '02-25', '03-31', '04-28']);
    expect(days('2nd monday')).toEqual(['01-10', '02-14', '03-13', '04-10']);
    expect(days('5th monday')).toEqual(['01-31', '02-28', '03-27', '04-24']);
    expect(days('First Tuesday')).toEqual(['01-04', '02-01', '03-07', '04-04']);
  });

  it('keeps the time of day when the clock changes, is due at midnight by default, and includes the turn of the year', () => {
    expect(times(monthly('last sunday', '02:30'), '2026-03-01T00:00:00Z', 1)).toEqual(['2026-03-29T01:00Z']);
    expect(times(monthly('last sunday', '02:30'), '2026-10-01T00:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-11-29T01:30Z',
    ]);
    expect(times({ type: 'monthly', on: '1' }, '2026-12-15T00:00:00Z', 2)).toEqual([
      '2026-12-31T23:00Z',
      '2027-01-31T23:00Z',
    ]);
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/Santiago',
    'Africa/Casablanca',
  ];
  const ordinals = ['1st', '2nd', '3rd', '4th', '5th', 'last'];
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const day = fc.oneof(
    fc.integer({ min: 1, max: 31 }).map(String),
    fc.constant('last day'),
    fc.tuple(fc.constantFrom(...ordinals), fc.constantFrom(...weekdays)).map((words) => words.join(' ')),
  );
  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));

  it('is due at the times that a look at every minute finds', () => {
    fc.assert(
      fc.property(
        day,
        clock,
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(1971, 0, 1) / 60_000, max: Date.UTC(2090, 0, 1) / 60_000 }),
        (on, [hours, minutes], timezone, begin) => {
          const after = begin * 60_000;
          const span = minutesOf(timezone, after, after + 70 * 86_400_000);
          const start = new Date(span[0][1]);
          const expected: string[] = [];
          for (const month of [-1, 0, 1, 2, 3]) {
            const [year, at] = [
              start.getUTCFullYear() + Math.floor((start.getUTCMonth() + month) / 12),
              (start.getUTCMonth() + month + 12) % 12,
            ];
            const target = dueDay(on, year, at) + (hours * 60 + minutes) * 60_000;
            let latest = span[0][1];
            for (const [instant, wall] of span.slice(1)) {
              if (latest < target && wall >= target) expected.push(new Date(instant).toISOString());
              latest = Math.max(latest, wall);
            }
          }
          const time = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
          const found = nextTimes(monthly(on, time, timezone), new Date(after), 5, defaults).map((due) =>
            due.toISOString(),
          );
          expect(found.slice(0, expected.length)).toEqual(expected);
        },
      ),
      { numRuns: 25, seed: 4 },
    );
  });
});

it('begins weekly intervals on a day of the week', () => {
  const weekly = (on: string, every = '1w'): Schedule => ({
    type: 'interval',
    every,
    on,
    start: '2026-03-25T08:00:00Z',
  });
  expect(times(weekly('monday'), '2026-03-01T00:00:00Z')).toEqual([
    '2026-03-30T07:00Z',
    '2026-04-06T07:00Z',
    '2026-04-13T07:00Z',
  ]);
  expect(times(weekly('wednesday', '2w'), '2026-03-26T00:00:00Z', 2)).toEqual([
    '2026-04-08T07:00Z',
    '2026-04-22T07:00Z',
  ]);
  expect(times(weekly('Sunday'), '2026-03-01T00:00:00Z', 1)).toEqual(['2026-03-29T07:00Z']);
});

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
  { type: 'monthly' },
  { type: 'monthly', on: '0' },
  { type: 'monthly', on: '32' },
  { type: 'monthly', on: 31 },
  { type: 'monthly', on: '6th monday' },
  { type: 'monthly', on: '2nd  monday' },
  { type: 'monthly', on: 'monday' },
  { type: 'monthly', on: 'last' },
  { type: 'monthly', on: 'last day of march' },
  { type: 'monthly', on: '31', time: '24:00' },
  { type: 'monthly', on: '31', time: '9:00' },
  { type: 'monthly', on: '31', every: '2w' },
  { type: 'monthly', on: '31', timezone: 'Mars/Olympus' },
  { type: 'interval', every: '1d', on: 'monday' },
  { type: 'interval', every: '1w', on: 'mo' },
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
