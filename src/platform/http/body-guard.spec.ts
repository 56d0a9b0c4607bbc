import * as fc from 'fast-check';
import { ApiError, type FieldError } from '../../common/errors.js';
import { parseJsonBody } from './body-guard.js';

const parse = (body: string | Buffer): unknown => parseJsonBody(Buffer.from(body as string));

/** How a body is refused: the code, or `field: code` of each fault. */
function refusal(body: string | Buffer): string | string[] {
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

it('reads what JSON.parse reads, except for unclean text', () => {
  const clean = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', '\n', '\t', 'ü', '\u{1f600}'),
  });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      clean,
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
        .map((one) => Number(one.toPrecision(15))),
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

it('never throws anything but a refusal, and never reads what JSON.parse does not', () => {
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
      if (text === '' || refusal(text) !== 'accepted') return;
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 5000 },
  );
});

it('takes an empty body for none', () => {
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
])('refuses %j as broken', (text) => expect(refusal(text)).toEqual(['body: invalid_format']));

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
  ])('is not %s', (_name, body) => expect(refusal(body)).toBe('unsupported_media_type'));
});

describe('the depth', () => {
  it('is 40 at most', () => {
    expect(refusal(nested(40))).toBe('accepted');
    expect(refusal(nested(41))).toEqual(['body: out_of_range']);
    expect(refusal(nested(6000))).toEqual(['body: out_of_range']);
    expect(refusal('['.repeat(1_000_000))).toEqual(['body: out_of_range']);
    expect(refusal('[{"a":'.repeat(20) + '1' + '}]'.repeat(20))).toBe('accepted');
  });

  it('does not count what is written in strings', () => {
    expect(refusal(JSON.stringify({ a: '[{'.repeat(50), '[\\"[': '\\"{'.repeat(50) }))).toBe('accepted');
    expect(refusal(`["\\\\",${'['.repeat(40)}`)).toEqual(['body: out_of_range']);
  });

  it('does not count what is closed again', () => {
    expect(refusal(`[${Array.from({ length: 100 }, () => '[{}]').join()}]`)).toBe('accepted');
  });
});

describe('text', () => {
  it('that cannot be stored is named with its path, all of it', () => {
    const body =
      '{"title":"a\\u0000","goals":[{"title":"ok"},{"title":"\\ud800"}],"metadata":{"a\\u0001":{"b":"\\b"}},"c":"\\udc00\\ud800"}';
    expect(refusal(body)).toEqual([
      'title: invalid_text',
      'goals.1.title: invalid_text',
      'metadata.a\ufffd: invalid_text',
      'metadata.a\ufffd.b: invalid_text',
      'c: invalid_text',
    ]);
    expect(refusal('"\\u0000"')).toEqual(['body: invalid_text']);
    expect(refusal('{"a":"\u007f","b":"\u0085","__proto__":"\\f"}')).toEqual([
      'a: invalid_text',
      'b: invalid_text',
      '__proto__: invalid_text',
    ]);
  });

  it('with harmless escapes is read', () => {
    expect(parse('{"a":"\\u00fc\\n\\t\\r\\ud83d\\ude00\\\\u0000"}')).toEqual({ a: 'ü\n\t\r\u{1f600}\\u0000' });
  });

  it('has at most 100 faults', () => {
    expect(refusal(`[${Array.from({ length: 500 }, () => '"\\u0000"').join()}]`)).toHaveLength(100);
  });
});

it('refuses numbers that are beyond counting, by name', () => {
  expect(refusal('{"a":1e400,"b":[1,-1e999],"c":1e308}')).toEqual(['a: out_of_range', 'b.1: out_of_range']);
  expect(refusal(`{"a":${'9'.repeat(400)}}`)).toEqual(['a: out_of_range']);
});

/** The digits of a decimal number without zeros at its ends, and its order of magnitude. */
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
  ])('are kept as they are: %s', (number) => expect(refusal(`{"a":${number}}`)).toBe('accepted'));

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-12345678901234567890',
    '0.1234567890123456',
    '1.0000000000000000001',
    '123456789012345.67',
    '1e-400',
    '1.23456789012345678e5',
  ])('that a double would change are refused: %s', (number) => {
    expect(refusal(`{"metadata":{"b":[1,${number}]}}`)).toEqual(['metadata.b.1: out_of_range']);
  });

  it('are named with their paths, all of them, and not looked for in strings', () => {
    const big = '9007199254740993';
    const text = `{"x":"${big},[{","a":{"\\"b,":[0,{"c":${big}},"${big}",[${big}]],"d":1},"e":[],"f":${big},"a\\u0062":{"g":${big}}}`;
    expect(refusal(text)).toEqual([
      'a."b,.1.c: out_of_range',
      'a."b,.3.0: out_of_range',
      'f: out_of_range',
      'ab.g: out_of_range',
    ]);
    expect(refusal(big)).toEqual(['body: out_of_range']);
    expect(refusal(`[${`${big},`.repeat(500)}1]`)).toHaveLength(100);
  });

  it('come back as they were written, if they are accepted', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?$/);
    fc.assert(
      fc.property(digits, (number) => {
        if (refusal(`[${number}]`) !== 'accepted') return;
        const [kept] = parse(`[${number}]`) as [number];
        expect(normal(JSON.stringify(kept))).toEqual(normal(number));
      }),
    );
  });
});

it('refuses an object that names a property twice', () => {
  expect(refusal('{"a":1,"a":2}')).toEqual(['body: invalid_format']);
  expect(refusal('{"a":{"__proto__":1,"__proto__":2}}')).toEqual(['body: invalid_format']);
  expect(refusal('{"a":1,"\\u0061":2}')).toEqual(['body: invalid_format']);
  expect(refusal('[{"a":1},{"a":{"a":":"}}]')).toBe('accepted');
});

it('pollutes no prototype', () => {
  const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

describe('the width', () => {
  const named = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}`;
  const listed = (count: number): string => `[${Array.from({ length: count }, () => 1).join()}]`;

  it('is 10,000 properties and 100,000 values at most', () => {
    expect(refusal(named(10_000))).toBe('accepted');
    expect(refusal(named(10_001))).toEqual(['body: out_of_range']);
    expect(refusal(listed(100_000))).toBe('accepted');
    expect(refusal(listed(100_001))).toEqual(['body: out_of_range']);
  });

  it('is known before anything is made of the body', () => {
    const parsing = jest.spyOn(JSON, 'parse');
    refusal(named(80_000));
    refusal(listed(300_000));
    expect(parsing).not.toHaveBeenCalled();
    parsing.mockRestore();
  });

  it('does not count what is written in strings', () => {
    expect(refusal(`["${':,'.repeat(200_000)}"]`)).toBe('accepted');
  });
});

// Whatever takes more than one pass over such a text does not come to its end here.
it.each([
  ['quotes', `["${'\\"'.repeat(500_000)}"]`, 'accepted'],
  ['backslashes', `["${'\\\\'.repeat(500_000)}"]`, 'accepted'],
  ['digits', `[${'1'.repeat(1_000_000)}`, ['body: invalid_format']],
])('reads a mebibyte of %s', (_name, text, outcome) => expect(refusal(text)).toEqual(outcome));
