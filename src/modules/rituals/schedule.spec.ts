import { nextTime, nextTimes, scheduleFault, type Schedule } from './schedule.js';

const frame = { timezone: 'Europe/Berlin', began: new Date('2026-01-05T08:00:00Z') };
const times = (schedule: Schedule, after: string, count = 3): string[] =>
  nextTimes(schedule, new Date(after), count, frame).map((time) => time.toISOString().replace(':00.000Z', 'Z'));
const cron = (expression: string, timezone?: string): Schedule => ({ type: 'cron', expression, timezone });
const interval = (every: string, start?: string, timezone?: string): Schedule => ({
  type: 'interval',
  every,
  start,
  timezone,
});

describe('a cron schedule', () => {
  it('keeps the time of day when the clock changes, in the zone of the frame or its own', () => {
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

  it('makes up for a time that the clock jumps over, and takes one that comes twice once', () => {
    expect(times(cron('30 2 * * *'), '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00Z', '2026-03-30T00:30Z']);
    expect(times(cron('30 2 * * *'), '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30Z', '2026-10-26T01:30Z']);
  });

  it('of every so many minutes goes on through both', () => {
    expect(times(cron('*/30 * * * *'), '2026-10-25T00:10:00Z', 4)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
    ]);
  });

  it('finds leap days', () => {
    expect(times(cron('0 0 29 2 *', 'UTC'), '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00Z',
      '2032-02-29T00:00Z',
    ]);
  });

  it('is strictly later than the time it is asked for', () => {
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

  it('of minutes and hours is a length of time', () => {
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

  it('without a start counts from when it began', () => {
    expect(times(interval('2h'), '2026-01-05T08:00:00Z', 2)).toEqual(['2026-01-05T10:00Z', '2026-01-05T12:00Z']);
    expect(times(interval('1w'), '2026-03-29T12:00:00Z', 1)).toEqual(['2026-03-30T07:00Z']);
  });

  it('finds its place after years at once', () => {
    const started = performance.now();
    expect(times(interval('1d', '1970-01-01T09:00:00Z', 'UTC'), '2026-01-01T09:00:00Z', 1)).toEqual([
      '2026-01-02T09:00Z',
    ]);
    expect(performance.now() - started).toBeLessThan(100);
  });

  it('never leads beyond the years that can be written', () => {
    expect(times(interval('9999w', '9998-01-01T00:00:00Z'), '9998-06-01T00:00:00Z')).toEqual([]);
  });

  it('agrees with a count of days, whatever the zone', () => {
    for (const timezone of ['Pacific/Apia', 'America/Sao_Paulo', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
      let last = new Date('2018-01-01T03:00:00Z');
      const schedule = interval('3d', '2018-01-01T03:00:00Z', timezone);
      const shown = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
      const first = Date.parse(shown.format(last));
      for (let count = 1; count < 250; count += 1) {
        const next = nextTime(schedule, last, frame);
        expect(next?.getTime()).toBeGreaterThan(last.getTime());
        last = next as Date;
        expect((Date.parse(shown.format(last)) - first) / 86_400_000).toBe(3 * count);
      }
    }
  });
});

it('of the manual kind never comes', () => {
  expect(times({ type: 'manual' }, '2026-01-01T00:00:00Z')).toEqual([]);
});

it.each([
  { type: 'manual' },
  { type: 'cron', expression: '0 9 * * 1-5' },
  { type: 'cron', expression: '*/5 8-17 1,15 JAN-JUN MON', timezone: 'Europe/Berlin' },
  { type: 'interval', every: '90m' },
  { type: 'interval', every: '2w', start: '2026-11-23T09:00:00Z', timezone: 'Asia/Tokyo' },
])('%j is a schedule', (value) => expect(scheduleFault(value)).toBeUndefined());

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
])('%j is no schedule', (value) => expect(scheduleFault(value)).toEqual(expect.any(String)));
