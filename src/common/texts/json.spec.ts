import * as fc from 'fast-check';
import { isRecord, measureJson, mergePatch, sameJson } from './json.js';

const json = (text: string): unknown => JSON.parse(text);
const nested = (levels: number): unknown => json('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
const values = fc.jsonValue({ maxDepth: 4 });
const awkward = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString'), tie('value')), {
        maxLength: 4,
      })
      .map((entries) =>
        json(`{${entries.map(([key, value]) => `"${key as string}":${JSON.stringify(value)}`).join()}}`),
      ),
  ),
})).value;

/** The pseudocode of RFC 7396, section 2, with maps. */
function referenceMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, referenceMergePatch(result.get(key), value));
  }
  return json(`{${[...result].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`);
}

it('measures values with missing properties', () => {
  expect(measureJson({ a: undefined, b: [undefined, 1] })).toEqual({ bytes: 23, depth: 2, keys: 2 });
});

describe('a merge patch', () => {
  // The examples of RFC 7396, appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"b":2}}', '{"__proto__":{"a":1,"b":2}}'],
    ['{"constructor":1,"__proto__":2}', '{"__proto__":null}', '{"constructor":1}'],
    ['{}', '{"toString":{"a":1},"__proto__":{"x":1}}', '{"toString":{"a":1},"__proto__":{"x":1}}'],
  ])('%s with %s is %s', (target, patch, expected) => {
    expect(JSON.stringify(mergePatch(json(target), json(patch)))).toBe(expected);
  });

  it('changes neither of its inputs and no prototype', () => {
    fc.assert(
      fc.property(awkward, awkward, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        return JSON.stringify([target, patch]) === before && Object.keys(Object.prototype).length === 0;
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(awkward, awkward, (target, patch) => {
        const once = mergePatch(target, patch);
        return sameJson(mergePatch(once, patch), once);
      }),
    );
  });

  it('agrees with the pseudocode of the RFC', () => {
    fc.assert(fc.property(awkward, awkward, (a, b) => sameJson(mergePatch(a, b), referenceMergePatch(a, b))));
  });
});

describe('the size of JSON', () => {
  it.each([
    ['1', 1, 0, 0],
    ['"ü"', 4, 0, 0],
    ['{}', 2, 1, 0],
    ['[]', 2, 1, 0],
    ['{"a":[1,{"b":null}],"c":"d"}', 28, 3, 3],
    ['{"__proto__":{"a":1},"constructor":2}', 37, 2, 3],
  ])('of %s is %d bytes, %d levels, %d keys', (text, bytes, depth, keys) => {
    expect(measureJson(json(text))).toEqual({ bytes, depth, keys });
  });

  it('is the number of bytes of its text', () => {
    fc.assert(fc.property(values, (value) => measureJson(value).bytes === Buffer.byteLength(JSON.stringify(value))));
    fc.assert(fc.property(awkward, (value) => measureJson(value).bytes === Buffer.byteLength(JSON.stringify(value))));
  });

  it('is not determined further beyond the given maximum', () => {
    const unread = {
      get far(): never {
        throw new Error('this is too far');
      },
    };
    expect(measureJson({ long: 'x'.repeat(20), unread }, 10).bytes).toBeGreaterThan(10);
    expect(() => measureJson({ long: 'x'.repeat(20), unread })).toThrow('this is too far');
  });

  it('can be determined for very deep and very wide values', () => {
    expect(measureJson(nested(100_000))).toMatchObject({ depth: 100_000, keys: 100_000 });
    expect(measureJson(Array.from({ length: 300_000 }, () => []))).toMatchObject({ depth: 2, keys: 0 });
  });
});

describe('equality', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', true],
    ['{"a":1}', '{"a":1,"b":null}', false],
    ['{"a":null}', '{"b":null}', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['{}', 'null', false],
    ['1', '"1"', false],
    ['{"__proto__":1}', '{"a":1}', false],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}', true],
    ['{"toString":1}', '{}', false],
  ])('of %s and %s is %s', (a, b, expected) => {
    expect([sameJson(json(a), json(b)), sameJson(json(b), json(a))]).toEqual([expected, expected]);
  });

  it('holds for every copy', () => {
    fc.assert(fc.property(awkward, (value) => sameJson(value, json(JSON.stringify(value)))));
  });
});
