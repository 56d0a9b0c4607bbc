import * as fc from 'fast-check';
import { ApiError, type FieldError } from '../../../common/errors.js';
import { parseJsonBody } from './body-guard.js';

const parse = (body: string | Buffer): unknown => parseJsonBody(Buffer.from(body as string));

/** The outcome of reading a body: `accepted`, the error code, or `field: code` of each field error. */
function outcomeOf(body: string | Buffer): string | string[] {
  try {
    parse(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = error.details?.fields as FieldError[] | undefined;
    return fields?.map(({ field, code }) => `${field}: ${code}`) ?? error.code;
  }
  return 'accepted';
}

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

it.each(['{}', '[]', '"a"', '1', 'null', ' {"a": [1, -2.5e3, true, false, null, "\\"\\\\"]}\n', '{"a":"[[[{{{:"}'])(
  'reads %s like JSON.parse',
  (text) => expect(parse(text)).toEqual(JSON.parse(text)),
);

it('reads the same values as JSON.parse, except for unclean text', () => {
  const clean = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', '\n', '\t', 'ü', '\u{1f600}'),
  });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      clean,
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
        .map((number) => Number(number.toPrecision(15))),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(clean, fc.constantFrom('__proto__', 'constructor')), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 2), (sent, space) => {
      const text = JSON.stringify(sent, null, space);
      expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it('throws only API errors, and accepts only texts that JSON.parse accepts', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    'a',
    '1',
    'e999',
    ' ',
    '\u007f',
    'true',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      if (text === '' || outcomeOf(text) !== 'accepted') return;
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 5000 },
  );
});

it('treats an empty body as absent', () => {
  expect(parse('')).toBeUndefined();
});

it.each([
  '{',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  'a=1',
  '{"a":1}x',
  '"\u0001"',
  '"\t"',
  '{"a":"',
  '"\\',
  ' ',
  '{"a":NaN}',
  '}{',
  ']',
])('rejects %j as malformed', (text) => expect(outcomeOf(text)).toEqual(['body: invalid_format']));

it('does not quote the body', () => {
  expect(() => parse('{"password": sekret}')).toThrow('The request body is not valid JSON.');
});

describe('the encoding', () => {
  it('is UTF-8, with or without a byte order mark', () => {
    expect(parse('\ufeff{"a":"ü"}')).toEqual({ a: 'ü' });
    expect(parse(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toEqual({});
  });

  it.each([
    ['UTF-16 LE', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 LE with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['UTF-16 BE', Buffer.from('{"a":1}', 'utf16le').swap16()],
    ['UTF-16 BE with a mark', Buffer.from('\ufeff{"a":1}', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('{"a":"ü"}', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half a character', Buffer.from([0x22, 0xc3])],
  ])('is not %s', (_name, body) => expect(outcomeOf(body)).toBe('unsupported_media_type'));
});

describe('the depth', () => {
  it('is at most 40', () => {
    expect(outcomeOf(nested(40))).toBe('accepted');
    expect(outcomeOf(nested(41))).toEqual(['body: out_of_range']);
    expect(outcomeOf(nested(6000))).toEqual(['body: out_of_range']);
    expect(outcomeOf('['.repeat(1_000_000))).toEqual(['body: out_of_range']);
    expect(outcomeOf('[{"a":'.repeat(20) + '1' + '}]'.repeat(20))).toBe('accepted');
  });

  it('does not count brackets in strings', () => {
    expect(outcomeOf(JSON.stringify({ a: '[{'.repeat(50), '[\\"[': '\\"{'.repeat(50) }))).toBe('accepted');
    expect(outcomeOf(`["\\\\",${'['.repeat(40)}`)).toEqual(['body: out_of_range']);
  });

  it('does not count brackets that are closed again', () => {
    expect(outcomeOf(`[${Array.from({ length: 100 }, () => '[{}]').join()}]`)).toBe('accepted');
  });
});

describe('text', () => {
  it('that cannot be stored is reported with its path, for every occurrence', () => {
    const body =
      '{"title":"a\\u0000","goals":[{"title":"ok"},{"title":"\\ud800"}],"metadata":{"a\\u0001":{"b":"\\b"}},"c":"\\udc00\\ud800"}';
    expect(outcomeOf(body)).toEqual([
      'title: invalid_text',
      'goals.1.title: invalid_text',
      'metadata.a\ufffd: invalid_text',
      'metadata.a\ufffd.b: invalid_text',
      'c: invalid_text',
    ]);
    expect(outcomeOf('"\\u0000"')).toEqual(['body: invalid_text']);
    expect(outcomeOf('{"a":"\u007f","b":"\u0085","__proto__":"\\f"}')).toEqual([
      'a: invalid_text',
      'b: invalid_text',
      '__proto__: invalid_text',
    ]);
  });

  it('with harmless escapes is accepted', () => {
    expect(parse('{"a":"\\u00fc\\n\\t\\r\\ud83d\\ude00\\\\u0000"}')).toEqual({ a: 'ü\n\t\r\u{1f600}\\u0000' });
  });

  it('has at most 100 reported errors', () => {
    expect(outcomeOf(`[${Array.from({ length: 500 }, () => '"\\u0000"').join()}]`)).toHaveLength(100);
  });
});

it('rejects numbers that a double cannot represent, with their paths', () => {
  expect(outcomeOf('{"a":1e400,"b":[1,-1e999],"c":1e308}')).toEqual(['a: out_of_range', 'b.1: out_of_range']);
  expect(outcomeOf(`{"a":${'9'.repeat(400)}}`)).toEqual(['a: out_of_range']);
});

it('rejects endless numbers without looking for their last digit from every zero', () => {
  const zeros = '0'.repeat(1_000_000);
  for (const number of [`1.${zeros}1`, `0.${zeros}1`, `1${zeros}`, `1.${zeros}`, `1e${zeros}1`]) {
    expect([number.slice(0, 4), outcomeOf(`{"a":${number}}`)]).toEqual([number.slice(0, 4), ['a: out_of_range']]);
  }
  const many = Array.from({ length: 2_500 }, () => `1.${'0'.repeat(398)}1`).join();
  expect(outcomeOf(`[${many}]`)).toHaveLength(100);
});

/** The digits of a decimal number without leading and trailing zeros, and its order of magnitude. */
function normal(number: string): [string, number] {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const magnitude = digits === '' ? 0 : digits.length - fraction.length + Number(exponent);
  return [digits.replace(/0+$/, ''), magnitude];
}

describe('numbers', () => {
  it.each([
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '123456789.123456',
    '0.000000000000000000000000001',
    '1e22',
    '-1.5E-7',
    '1e308',
    '0',
    '-0.0',
    '1.000000000000000000000',
    '100000000000000.0',
  ])('are accepted unchanged: %s', (number) => expect(outcomeOf(`{"a":${number}}`)).toBe('accepted'));

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-12345678901234567890',
    '0.1234567890123456',
    '1.0000000000000000001',
    '123456789012345.67',
    '1e-400',
    '1.23456789012345678e5',
  ])('that a double would change are rejected: %s', (number) => {
    expect(outcomeOf(`{"metadata":{"b":[1,${number}]}}`)).toEqual(['metadata.b.1: out_of_range']);
  });

  it('are reported with all of their paths, and not searched for in strings', () => {
    const big = '9007199254740993';
    const text = `{"x":"${big},[{","a":{"\\"b,":[0,{"c":${big}},"${big}",[${big}]],"d":1},"e":[],"f":${big},"a\\u0062":{"g":${big}}}`;
    expect(outcomeOf(text)).toEqual([
      'a."b,.1.c: out_of_range',
      'a."b,.3.0: out_of_range',
      'f: out_of_range',
      'ab.g: out_of_range',
    ]);
    expect(outcomeOf(big)).toEqual(['body: out_of_range']);
    expect(outcomeOf(`[${`${big},`.repeat(500)}1]`)).toHaveLength(100);
  });

  it('keep their value if they are accepted', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?$/);
    fc.assert(
      fc.property(digits, (number) => {
        if (outcomeOf(`[${number}]`) !== 'accepted') return;
        const [kept] = parse(`[${number}]`) as [number];
        expect(normal(JSON.stringify(kept))).toEqual(normal(number));
      }),
    );
  });
});

it('rejects an object with the same property twice', () => {
  expect(outcomeOf('{"a":1,"a":2}')).toEqual(['body: invalid_format']);
  expect(outcomeOf('{"a":{"__proto__":1,"__proto__":2}}')).toEqual(['body: invalid_format']);
  expect(outcomeOf('{"a":1,"\\u0061":2}')).toEqual(['body: invalid_format']);
  expect(outcomeOf('[{"a":1},{"a":{"a":":"}}]')).toBe('accepted');
});

it('pollutes no prototype', () => {
  const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

describe('the width', () => {
  const named = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}`;
  const listed = (count: number): string => `[${Array.from({ length: count }, () => 1).join()}]`;

  it('is at most 10,000 properties and 100,000 values', () => {
    expect(outcomeOf(named(10_000))).toBe('accepted');
    expect(outcomeOf(named(10_001))).toEqual(['body: out_of_range']);
    expect(outcomeOf(listed(100_000))).toBe('accepted');
    expect(outcomeOf(listed(100_001))).toEqual(['body: out_of_range']);
  });

  it('is checked before the body is parsed', () => {
    const parsing = jest.spyOn(JSON, 'parse');
    outcomeOf(named(80_000));
    outcomeOf(listed(300_000));
    expect(parsing).not.toHaveBeenCalled();
    parsing.mockRestore();
  });

  it('does not count separators in strings', () => {
    expect(outcomeOf(`["${':,'.repeat(200_000)}"]`)).toBe('accepted');
  });
});

// An algorithm with more than linear time would not finish such a text within the test timeout.
it.each([
  ['quotes', `["${'\\"'.repeat(500_000)}"]`, 'accepted'],
  ['backslashes', `["${'\\\\'.repeat(500_000)}"]`, 'accepted'],
  ['digits', `[${'1'.repeat(1_000_000)}`, ['body: invalid_format']],
])('reads a mebibyte of %s', (_name, text, outcome) => expect(outcomeOf(text)).toEqual(outcome));
