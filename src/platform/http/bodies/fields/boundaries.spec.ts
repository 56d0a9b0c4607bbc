import { ApiError, type FieldError } from '../../../../common/errors.js';
import { CreateBody, PatchBody } from '../body.pipe.js';
import {
  Email,
  Bool,
  Hours,
  Id,
  Instant,
  JsonObject,
  Language,
  Link,
  Name,
  Password,
  ResourceRef,
  Secret,
  Text,
  Int,
  Keyword,
  TimeZone,
} from '../fields.js';

const TASK = `tsk_${'0'.repeat(32)}`;
const PLACE = `edv_${'1'.repeat(32)}`;

class Several {
  @Name({ required: true }) title: string;
  @Text({ required: true }) content: string;
  @Text() description?: string;
  @ResourceRef() assignee_id?: string;
  @Hours() estimate?: number;
  @JsonObject() metadata?: Record<string, unknown>;
  @Int({ min: 2, max: 4 }) quorum?: number;
  @Bool() is_on?: boolean;
  @Instant() starts_at?: string;
  @Email() email?: string;
  @Password() password?: string;
  @Secret() current_password?: string;
  @TimeZone() time_zone?: string;
  @Language() language?: string;
  @Link() url?: string;
  @Keyword({ pattern: /^[a-z]+$/ }) type?: string;
  @Id(['task', 'demand']) entity_id?: string;
}

const json = (text: string): unknown => JSON.parse(text);
const deep = (levels: number): unknown => json('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
const wide = (keys: number): unknown => Object.fromEntries(Array.from({ length: keys }, (_, n) => [n, n]));

/** The value of one property after a patch is read. */
const valueOf = (name: string, value: unknown): unknown =>
  (PatchBody(Several).transform({ [name]: value }, {} as never) as unknown as Record<string, unknown>)[name];

/** The error code of one property; undefined if it is accepted. */
function codeOf(name: string, value: unknown, pipe = PatchBody(Several)): string | undefined {
  try {
    pipe.transform({ [name]: value }, {} as never);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details?.fields as FieldError[];
    return fields.find(({ field }) => field === name)?.code;
  }
}

describe('a field', () => {
  it.each([
    ['quorum', [2, 4], { invalid_type: [2.5, '2', true, {}], out_of_range: [1, 5, -0] }],
    ['is_on', [true, false], { invalid_type: ['true', 1, 'false', {}, []] }],
    ['starts_at', ['2026-11-20T10:00:00Z'], { invalid_date: ['2026-11-20', 'soon'], invalid_type: [1_700_000_000] }],
    ['email', ['ann@example.com', ' ANN@Müller.de '], { invalid_format: ['ann', 'ann@host'], too_short: [' '] }],
    [
      'password',
      ['twelve chars', '\u{1f511}'.repeat(128), ' '.repeat(12)],
      {
        too_short: ['eleven char', '\u{1f511}'.repeat(11), 'e\u0301'.repeat(11)],
        too_long: ['x'.repeat(129), '\ufdfa'.repeat(12), 'x'.repeat(100_000)],
        invalid_type: [123_456_789_012],
      },
    ],
    [
      'current_password',
      ['x', 'x'.repeat(4096)],
      { too_short: [''], too_long: ['x'.repeat(4097)], invalid_type: [{}] },
    ],
    ['time_zone', ['Europe/Berlin', 'UTC', 'Etc/GMT+5'], { invalid_format: ['+01:00', 'PST', 'Mars/Olympus'] }],
    ['language', ['de', 'zh-Hant-TW'], { invalid_format: ['d', 'de_DE'], too_long: ['x'.repeat(36)] }],
    [
      'url',
      ['http://a', 'https://a.example/b?c#d', `https://a/${'x'.repeat(2038)}`],
      {
        invalid_format: ['ftp://a', 'https://', 'javascript:alert(1)', 'https://a b', 'http:///x', '//a'],
        too_long: [`https://a/${'x'.repeat(2039)}`],
        invalid_text: ['https://a/\u0000'],
      },
    ],
    [
      'type',
      ['story', ' story '],
      { invalid_format: ['Story', 'a b'], too_short: ['  '], too_long: ['x'.repeat(101)] },
    ],
    ['entity_id', [TASK], { invalid_format: [PLACE, TASK.toUpperCase(), 'tsk_'], invalid_type: [7] }],
  ] as [string, unknown[], Record<string, unknown[]>][])(
    '%s accepts valid values and rejects others by code',
    (name, good, bad) => {
      for (const value of good) expect([value, codeOf(name, value, CreateBody(Several))]).toEqual([value, undefined]);
      for (const [code, values] of Object.entries(bad)) {
        for (const value of values) expect([value, codeOf(name, value, CreateBody(Several))]).toEqual([value, code]);
      }
    },
  );

  it('with an e-mail address has its canonical form', () => {
    expect(valueOf('email', ' Ann@MÜLLER.de ')).toBe('ann@xn--mller-kva.de');
  });

  it('counts code points', () => {
    expect(valueOf('title', '\u{1f600}'.repeat(500))).toHaveLength(1000);
    expect(valueOf('title', ` ${'x'.repeat(500)} `)).toHaveLength(500);
    expect(codeOf('title', '\u{1f600}'.repeat(501))).toBe('too_long');
    expect(codeOf('title', 'x'.repeat(501))).toBe('too_long');
    expect(codeOf('description', '\u{1f600}'.repeat(50_000))).toBeUndefined();
    expect(codeOf('description', '\u{1f600}'.repeat(50_001))).toBe('too_long');
  });

  it('of prose must not be blank if it is required', () => {
    for (const blank of ['', ' ', '\n\t', '\u00a0\u2003']) expect(codeOf('content', blank)).toBe('too_short');
    expect(valueOf('content', ' x ')).toBe(' x ');
    expect(valueOf('description', ' ')).toBe(' ');
    expect(codeOf('description', '', CreateBody(Several))).toBeUndefined();
  });

  it('that is optional and empty counts as absent on creation', () => {
    for (const name of ['description', 'url', 'language', 'time_zone', 'starts_at', 'entity_id', 'type']) {
      expect([name, codeOf(name, '', CreateBody(Several))]).toEqual([name, undefined]);
    }
  });

  it.each([
    'Two\nlines',
    'Two\r\nlines',
    'Two\u2028lines',
    '\u200b',
    '\u3164\u2060',
    '\u2800',
    '\u{e0041}',
    '\u00ad\ufeff',
  ])('with a name must be one line with visible characters, not %j', (title) =>
    expect(codeOf('title', title)).toBe('invalid_text'),
  );

  it.each(['x', '\u{1f600}', '\u2014', 'a\u200db', '\u{1f469}\u200d\u{1f52c}', '\u4eba', ' x\n'])(
    'with a name accepts %j',
    (title) => {
      expect(codeOf('title', title)).toBeUndefined();
    },
  );

  it.each(['https://user:pass@host/a', 'http://user@host', 'https://@host', 'https://a\\@b', 'https://:p@host'])(
    'with a link rejects credentials: %s',
    (url) => expect(codeOf('url', url)).toBe('invalid_format'),
  );

  it.each(['https://host/@user', 'https://host?q=a@b', 'https://host:8080/a:b@c'])('with a link accepts %s', (url) => {
    expect(codeOf('url', url)).toBeUndefined();
  });

  it.each(['\u0000', '\u0008', '\u001f', '\u007f', '\u0085', '\ud800', 'a\udc00b'])('rejects %j in texts', (text) => {
    expect(codeOf('title', `x${text}x`)).toBe('invalid_text');
    expect(codeOf('description', text)).toBe('invalid_text');
  });

  it.each([0, 0.0001, 1.1, 123_456_789.1234, 1e9])('accepts %d hours', (estimate) => {
    expect(valueOf('estimate', estimate)).toBe(estimate);
  });

  it.each([-1, -0.0001, 1e9 + 1, 0.00001, 1.23456, 1e300])('rejects %d hours', (estimate) => {
    expect(codeOf('estimate', estimate)).toBe('out_of_range');
  });

  it.each([Number.NaN, Infinity, '1', true, [1]])('rejects %p as hours', (estimate) => {
    expect(codeOf('estimate', estimate)).toBe('invalid_type');
  });

  it.each(['me', `res_${'a'.repeat(32)}`, `usr_${'a'.repeat(32)}`])('accepts %s as a resource', (assignee) => {
    expect(valueOf('assignee_id', assignee)).toBe(assignee);
  });

  it.each(['Me', TASK, `res_${'A'.repeat(32)}`])('rejects %s as a resource', (assignee) => {
    expect(codeOf('assignee_id', assignee)).toBe('invalid_format');
  });

  it.each<[string | undefined, string, unknown]>([
    [undefined, 'deep', deep(32)],
    ['out_of_range', 'too deep', deep(33)],
    [undefined, 'wide', wide(2000)],
    ['out_of_range', 'too wide', wide(2001)],
    [undefined, 'large', { a: 'ü'.repeat(49_996) }],
    ['too_long', 'too large', { a: 'ü'.repeat(49_997) }],
    ['invalid_type', 'a list', []],
  ])("reports %s for a client's own object that is %s", (code, _what, metadata) => {
    expect(codeOf('metadata', metadata)).toBe(code);
  });
});
