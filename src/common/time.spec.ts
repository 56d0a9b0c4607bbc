import * as fc from 'fast-check';
import {
  dayEdge,
  isLanguageTag,
  isTimeZone,
  isDateOrDateTime,
  parseDay,
  parseInstant,
  resolveDateOrDateTime,
  type DayEdge,
} from './time.js';

const utc = (value: string): string | undefined => parseInstant(value)?.toISOString();
const edge = (value: string, which: DayEdge, timeZone: string): string =>
  resolveDateOrDateTime(value, which, timeZone).toISOString();

const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');

describe('an instant', () => {
  it.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20t10:00:00z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00.5+01:30', '2026-11-20T08:30:00.500Z'],
    ['2026-11-20T10:00:00.123999999999Z', '2026-11-20T10:00:00.123Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00-00:00', '2000-02-29T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
  ])('%s is %s', (value, expected) => expect(utc(value)).toBe(expected));

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00Z ',
    '2026-01-01T00:00:00Z\n',
    '2026-W05-1',
    '2026-W05-1T00:00:00Z',
    '2026-032T00:00:00Z',
    '20260101T000000Z',
    '+002026-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1969-12-31T23:30:00-01:00',
    '1970-01-01T00:30:00+01:00',
    '9999-12-31T23:30:00-01:00',
    '10000-01-01T00:00:00Z',
    '2026-01-01',
    '٢٠٢٦-01-01T00:00:00Z',
    'now',
    '',
  ])('is not %j', (value) => expect(parseInstant(value)).toBeUndefined());

  it('is parsed from its own text', () => {
    const date = fc.date({
      min: new Date(0),
      max: new Date(Date.UTC(9999, 11, 31, 23, 59, 59, 999)),
      noInvalidDate: true,
    });
    fc.assert(fc.property(date, (instant) => utc(instant.toISOString()) === instant.toISOString()));
  });

  it('agrees with Date at any offset', () => {
    const text = fc
      .tuple(
        fc.date({ min: new Date('1971-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
      )
      .map(([instant, offset]) => {
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
        return instant.toISOString().replace('Z', zone);
      });
    fc.assert(fc.property(text, (value) => utc(value) === new Date(value).toISOString()));
  });
});

describe('a day', () => {
  it('is a valid date of the years 1970 to 9999', () => {
    expect(parseDay('2024-02-29')).toEqual({ year: 2024, month: 2, day: 29 });
    for (const value of [
      '2026-02-30',
      '2026-02-29',
      '2026-2-3',
      '1969-12-31',
      '2026-W05-1',
      '10000-01-01',
      '2026-01-01Z',
      '',
    ]) {
      expect(parseDay(value)).toBeUndefined();
    }
  });

  it.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.000Z'],
    ['2026-11-20', 'Europe/Berlin', '2026-11-19T23:00:00.000Z', '2026-11-20T22:59:59.000Z'],
    ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00.000Z', '2026-11-20T18:29:59.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z', '2026-11-20T09:59:59.000Z'],
    ['2026-11-20', 'Etc/GMT+12', '2026-11-20T12:00:00.000Z', '2026-11-21T11:59:59.000Z'],
    // The clock changes within the day.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.000Z'],
    // Midnight does not exist: the clock jumps to one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.000Z'],
    ['2018-11-03', 'America/Sao_Paulo', '2018-11-03T03:00:00.000Z', '2018-11-04T02:59:59.000Z'],
    ['2022-03-27', 'Asia/Beirut', '2022-03-26T22:00:00.000Z', '2022-03-27T20:59:59.000Z'],
    // The last hour occurs twice.
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00.000Z', '2018-02-18T02:59:59.000Z'],
    ['2022-10-29', 'Asia/Beirut', '2022-10-28T21:00:00.000Z', '2022-10-29T21:59:59.000Z'],
    // The clock is set back at 00:01, so that the 7th begins before the last hour of the 6th ends.
    ['2010-11-06', 'America/St_Johns', '2010-11-06T02:30:00.000Z', '2010-11-07T03:29:59.000Z'],
    ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00.000Z', '2010-11-08T03:29:59.000Z'],
    // An offset with seconds.
    ['1971-06-01', 'Africa/Monrovia', '1971-06-01T00:44:30.000Z', '1971-06-02T00:44:29.000Z'],
    // The first and the last valid day.
    ['1970-01-01', 'Asia/Tokyo', '1970-01-01T00:00:00.000Z', '1970-01-01T14:59:59.000Z'],
    ['9999-12-31', 'America/New_York', '9999-12-31T05:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('%s in %s is %s to %s', (day, zone, start, end) => {
    expect([edge(day, 'start', zone), edge(day, 'end', zone)]).toEqual([start, end]);
  });

  it('that the zone skips is moved by the gap', () => {
    expect(edge('2011-12-30', 'start', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
    expect(edge('2011-12-30', 'end', 'Pacific/Apia')).toBe('2011-12-30T09:59:59.000Z');
    expect(edge('2011-12-31', 'start', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
  });

  it('has the right local time in every time zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const days = fc.tuple(
      fc.integer({ min: 1971, max: 2050 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    );
    fc.assert(
      fc.property(zones, days, (timeZone, [year, month, day]) => {
        const shown = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
        const value = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const start = dayEdge({ year, month, day }, 'start', timeZone);
        const end = dayEdge({ year, month, day }, 'end', timeZone);
        expect([shown.format(start), shown.format(end)]).toEqual([value, value]);
        expect(shown.format(start.getTime() - 1000)).not.toBe(value);
        expect(shown.format(end.getTime() + 1000)).not.toBe(value);
      }),
      { numRuns: 500 },
    );
  });
});

it('resolves an instant to itself, whatever the edge and the zone', () => {
  expect(edge('2026-11-20T10:00:00+01:00', 'end', 'Asia/Tokyo')).toBe('2026-11-20T09:00:00.000Z');
  expect(() => edge('soon', 'end', 'UTC')).toThrow(RangeError);
  expect(['2026-11-20', '2026-11-20T10:00:00Z', '2026-02-30', 'soon'].map(isDateOrDateTime)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it.each([
  'UTC',
  'Europe/Berlin',
  'europe/berlin',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
  'Asia/Kolkata',
  'EST',
  'EST5EDT',
  'GB',
])('accepts the time zone %s', (name) => expect(isTimeZone(name)).toBe(true));
it.each([
  '',
  '+01:00',
  'GMT+5',
  'UTC+1',
  'PST',
  'IST',
  'SystemV/PST8PDT',
  'US/Pacific-New',
  'canada/east-saskatchewan',
  'Mars/Olympus',
  'Europe/Berlin ',
  '../etc',
  'x'.repeat(5000),
])('rejects the time zone %j', (name) => expect(isTimeZone(name)).toBe(false));

it.each(['de', 'de-CH', 'zh-Hant-TW', 'DE', 'x'.repeat(8)])('accepts the language %s', (tag) => {
  expect(isLanguageTag(tag)).toBe(true);
});
it.each(['', 'd', 'de_DE', 'de-', 'a-b', 'english-as-she-is-spoke', 'de,fr', `en-${'x'.repeat(33)}`])(
  'rejects the language %j',
  (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  },
);
