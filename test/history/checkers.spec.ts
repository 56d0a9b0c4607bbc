import { listAnomalies } from './append-list.js';
import { keyAnomalies } from './once.js';
import { registerAnomalies, type RegisterOperation } from './register.js';

type At = [begun: number, ended: number];
const seen = (revision: number, value: string | undefined, [begun, ended]: At): RegisterOperation => ({
  kind: 'seen',
  revision,
  value,
  begun,
  ended,
});
const wrote = (value: string, revision: number, [begun, ended]: At, expected?: number): RegisterOperation => ({
  kind: 'written',
  value,
  revision,
  expected,
  begun,
  ended,
});
const maybe = (value: string, begun: number, expected?: number): RegisterOperation => ({
  kind: 'written',
  value,
  expected,
  begun,
  ended: Infinity,
});
const refused = (expected: number, current: number, [begun, ended]: At): RegisterOperation => ({
  kind: 'refused',
  expected,
  current,
  begun,
  ended,
});

describe('registerAnomalies', () => {
  const check = (history: RegisterOperation[], revision: number, value: string) =>
    registerAnomalies('start', history, { revision, value });

  it.each<[string, RegisterOperation[], number, string]>([
    ['nothing happened', [], 1, 'start'],
    ['writes follow each other', [wrote('a', 2, [0, 1], 1), wrote('b', 3, [2, 3], 2)], 3, 'b'],
    ['a read overlaps a write', [wrote('a', 2, [0, 9], 1), seen(2, 'a', [1, 2]), seen(1, 'start', [0, 3])], 2, 'a'],
    ['a write of unknown outcome is read', [maybe('a', 0, 1), seen(1, 'start', [1, 2]), seen(2, 'a', [3, 4])], 2, 'a'],
    ['a write of unknown outcome is overwritten', [maybe('a', 0, 1), wrote('b', 3, [5, 6], 2)], 3, 'b'],
    ['a write of unknown outcome without If-Match is overwritten', [maybe('a', 0), wrote('b', 3, [5, 6])], 3, 'b'],
    ['a write of unknown outcome had no effect', [maybe('a', 0, 1), wrote('b', 2, [1, 2], 1)], 2, 'b'],
    ['a stale write is refused', [wrote('a', 2, [0, 1]), refused(1, 2, [2, 3])], 2, 'a'],
  ])('accepts a history in which %s', (_what, history, revision, value) => {
    expect(check(history, revision, value)).toEqual([]);
  });

  it.each<[string, RegisterOperation[], number, string, string]>([
    [
      'two writes get one revision',
      [wrote('a', 2, [0, 9], 1), wrote('b', 2, [1, 8], 1)],
      2,
      'b',
      'revision 2 is both "a" and "b"',
    ],
    ['a write is lost', [wrote('a', 2, [0, 1], 1)], 1, 'start', 'revision 1 was seen after 2 was known'],
    [
      'a reader sees an older revision',
      [wrote('a', 2, [0, 9], 1), seen(2, 'a', [1, 2]), seen(1, 'start', [3, 4])],
      2,
      'a',
      'revision 1 was seen after 2 was known',
    ],
    [
      'a refused write reports an older revision',
      [wrote('a', 2, [0, 1]), wrote('b', 3, [2, 3]), refused(1, 2, [4, 5])],
      3,
      'b',
      'revision 2 was seen after 3 was known',
    ],
    [
      'a write gets a revision below a known one',
      [wrote('b', 3, [0, 1], 2), wrote('a', 2, [2, 3], 1)],
      3,
      'b',
      'revision 2 was written after 3 was known',
    ],
    [
      'a write is read before it was sent',
      [seen(2, 'a', [0, 1]), wrote('a', 2, [2, 3], 1)],
      2,
      'a',
      'revision 2 was written after 2 was known',
    ],
    ['a stale write succeeds', [wrote('a', 2, [0, 1], 1), wrote('b', 3, [2, 3], 1)], 3, 'b', '"b" expected revision 1'],
    [
      'a write with the current revision is refused',
      [refused(1, 1, [0, 1])],
      1,
      'start',
      'refused although it was the current one',
    ],
    ['no client wrote a value', [seen(2, 'x', [0, 1])], 2, 'x', 'no client wrote "x"'],
    ['no client wrote a revision', [wrote('b', 3, [5, 6])], 3, 'b', 'revision 2 was written by no client'],
    [
      'one write of unknown outcome would have to explain two revisions',
      [maybe('a', 0), wrote('b', 4, [5, 6])],
      4,
      'b',
      'revision 3 was written by no client',
    ],
    [
      'the final value differs from the written one',
      [wrote('a', 2, [0, 1], 1)],
      2,
      'b',
      'revision 2 is both "a" and "b"',
    ],
  ])('reports an anomaly if %s', (_what, history, revision, value, anomaly) => {
    expect(check(history, revision, value).join('\n')).toContain(anomaly);
  });
});

describe('listAnomalies', () => {
  const append = (item: string, [begun, ended]: At) => ({ item, begun, ended });
  const read = (items: string[], [begun, ended]: At) => ({ items, begun, ended });
  const [a, b] = [append('a', [0, 1]), append('b', [2, 3])];

  it('accepts reads that contain every acknowledged item, and possibly pending ones', () => {
    const lost = append('c', [0, Infinity]);
    expect(listAnomalies([a, b, lost], [read(['a'], [1.5, 9]), read(['a', 'b'], [2, 9])], ['a', 'b'])).toEqual([]);
    expect(listAnomalies([a, b, lost], [], ['a', 'c', 'b'])).toEqual([]);
  });

  it.each<[string, ReturnType<typeof append>[], ReturnType<typeof read>[], string[], string]>([
    ['an item is lost', [a, b], [], ['a'], '"b" was known and is missing'],
    ['a later read lacks an acknowledged item', [a, b], [read([], [4, 5])], ['a', 'b'], '"a" was known and is missing'],
    [
      'a later read lacks an item that was read',
      [append('c', [0, Infinity])],
      [read(['c'], [1, 2]), read([], [3, 4])],
      ['c'],
      '"c" was known and is missing',
    ],
    ['an item is in the list twice', [a, b], [], ['a', 'b', 'a'], '"a" is there twice'],
    ['no client appended an item', [a], [], ['a', 'x'], 'no client appended "x"'],
    [
      'an item is read before it was sent',
      [a, b],
      [read(['b'], [0, 1])],
      ['a', 'b'],
      '"b" was read before it was sent',
    ],
    [
      'readers disagree about the order',
      [a, append('c', [0, 9])],
      [read(['c', 'a'], [4, 5])],
      ['a', 'c'],
      '"a" stands at different places',
    ],
    ['a later item precedes an earlier one', [a, b], [], ['b', 'a'], '"b" stands before one that was there earlier'],
  ])('reports an anomaly if %s', (_what, appends, reads, last, anomaly) => {
    expect(listAnomalies(appends, reads, last).join('\n')).toContain(anomaly);
  });
});

describe('keyAnomalies', () => {
  const made = { status: 201, body: '1' };
  const busy = { status: 409, code: 'request_in_progress', body: '' };

  it('accepts equal responses, request_in_progress and missing responses', () => {
    expect(keyAnomalies('k', [made, busy, made, { body: '' }], 1)).toEqual([]);
  });

  it.each([
    ['responses differ', [made, { status: 201, body: '2' }], 1, 'k was answered in different ways'],
    ['the key has two effects', [made, busy], 2, 'k had 2 effects'],
    ['the effect is lost', [made], 0, 'k had 0 effects'],
    [
      'a use is refused with another conflict',
      [made, { status: 409, code: 'conflict', body: '' }],
      1,
      'k was refused with conflict',
    ],
    ['a use fails with a server error', [made, { status: 500, body: '' }], 1, 'k was answered 201 and 500'],
    ['no use gets a final response', [busy, { body: '' }], 1, 'k was never answered'],
  ])('reports an anomaly if %s', (_what, uses, effects, anomaly) => {
    expect(keyAnomalies('k', uses, effects)).toContain(anomaly);
  });
});
