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

describe('the history of a register', () => {
  const check = (history: RegisterOperation[], revision: number, value: string) =>
    registerAnomalies('start', history, { revision, value });

  it.each<[string, RegisterOperation[], number, string]>([
    ['nothing happened', [], 1, 'start'],
    ['writes follow each other', [wrote('a', 2, [0, 1], 1), wrote('b', 3, [2, 3], 2)], 3, 'b'],
    ['a read overlaps a write', [wrote('a', 2, [0, 9], 1), seen(2, 'a', [1, 2]), seen(1, 'start', [0, 3])], 2, 'a'],
    ['an unknown write is seen', [maybe('a', 0, 1), seen(1, 'start', [1, 2]), seen(2, 'a', [3, 4])], 2, 'a'],
    ['an unknown write is overwritten', [maybe('a', 0, 1), wrote('b', 3, [5, 6], 2)], 3, 'b'],
    ['an unknown write of no condition is overwritten', [maybe('a', 0), wrote('b', 3, [5, 6])], 3, 'b'],
    ['an unknown write never happened', [maybe('a', 0, 1), wrote('b', 2, [1, 2], 1)], 2, 'b'],
    ['a stale write is refused', [wrote('a', 2, [0, 1]), refused(1, 2, [2, 3])], 2, 'a'],
  ])('is in order where %s', (_what, history, revision, value) => {
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
      'a reader looks back',
      [wrote('a', 2, [0, 9], 1), seen(2, 'a', [1, 2]), seen(1, 'start', [3, 4])],
      2,
      'a',
      'revision 1 was seen after 2 was known',
    ],
    [
      'a refusal looks back',
      [wrote('a', 2, [0, 1]), wrote('b', 3, [2, 3]), refused(1, 2, [4, 5])],
      3,
      'b',
      'revision 2 was seen after 3 was known',
    ],
    [
      'a write slips in before what was known',
      [wrote('b', 3, [0, 1], 2), wrote('a', 2, [2, 3], 1)],
      3,
      'b',
      'revision 2 was written after 3 was known',
    ],
    [
      'a write comes true before it was asked for',
      [seen(2, 'a', [0, 1]), wrote('a', 2, [2, 3], 1)],
      2,
      'a',
      'revision 2 was written after 2 was known',
    ],
    ['a stale write passes', [wrote('a', 2, [0, 1], 1), wrote('b', 3, [2, 3], 1)], 3, 'b', '"b" expected revision 1'],
    ['a good write is refused', [refused(1, 1, [0, 1])], 1, 'start', 'refused although it was the current one'],
    ['a value comes from nowhere', [seen(2, 'x', [0, 1])], 2, 'x', 'no client wrote "x"'],
    ['a revision is jumped over', [wrote('b', 3, [5, 6])], 3, 'b', 'revision 2 was written by no client'],
    [
      'one unknown write would have to be two',
      [maybe('a', 0), wrote('b', 4, [5, 6])],
      4,
      'b',
      'revision 3 was written by no client',
    ],
    ['the last value is another', [wrote('a', 2, [0, 1], 1)], 2, 'b', 'revision 2 is both "a" and "b"'],
  ])('is found out where %s', (_what, history, revision, value, anomaly) => {
    expect(check(history, revision, value).join('\n')).toContain(anomaly);
  });
});

describe('the history of a list', () => {
  const append = (item: string, [begun, ended]: At) => ({ item, begun, ended });
  const read = (items: string[], [begun, ended]: At) => ({ items, begun, ended });
  const [a, b] = [append('a', [0, 1]), append('b', [2, 3])];

  it('is in order where readers see what was there, and perhaps what is on its way', () => {
    const lost = append('c', [0, Infinity]);
    expect(listAnomalies([a, b, lost], [read(['a'], [1.5, 9]), read(['a', 'b'], [2, 9])], ['a', 'b'])).toEqual([]);
    expect(listAnomalies([a, b, lost], [], ['a', 'c', 'b'])).toEqual([]);
  });

  it.each<[string, ReturnType<typeof append>[], ReturnType<typeof read>[], string[], string]>([
    ['an item is lost', [a, b], [], ['a'], '"b" was known and is missing'],
    ['an item comes late', [a, b], [read([], [4, 5])], ['a', 'b'], '"a" was known and is missing'],
    [
      'an item comes and goes',
      [append('c', [0, Infinity])],
      [read(['c'], [1, 2]), read([], [3, 4])],
      ['c'],
      '"c" was known and is missing',
    ],
    ['an item is there twice', [a, b], [], ['a', 'b', 'a'], '"a" is there twice'],
    ['an item is from nowhere', [a], [], ['a', 'x'], 'no client appended "x"'],
    ['an item is there too early', [a, b], [read(['b'], [0, 1])], ['a', 'b'], '"b" was read before it was sent'],
    [
      'readers disagree',
      [a, append('c', [0, 9])],
      [read(['c', 'a'], [4, 5])],
      ['a', 'c'],
      '"a" stands at different places',
    ],
    ['a later item stands before', [a, b], [], ['b', 'a'], '"b" stands before one that was there earlier'],
  ])('is found out where %s', (_what, appends, reads, last, anomaly) => {
    expect(listAnomalies(appends, reads, last).join('\n')).toContain(anomaly);
  });
});

describe('the history of an idempotency key', () => {
  const made = { status: 201, body: '1' };
  const busy = { status: 409, code: 'request_in_progress', body: '' };

  it('is in order where all answers are one, or say that the first is under way', () => {
    expect(keyAnomalies('k', [made, busy, made, { body: '' }], 1)).toEqual([]);
  });

  it.each([
    ['answers differ', [made, { status: 201, body: '2' }], 1, 'k was answered in different ways'],
    ['there are two effects', [made, busy], 2, 'k had 2 effects'],
    ['the effect is lost', [made], 0, 'k had 0 effects'],
    ['a use is refused', [made, { status: 409, code: 'conflict', body: '' }], 1, 'k was refused with conflict'],
    ['a use fails', [made, { status: 500, body: '' }], 1, 'k was answered 201 and 500'],
    ['no use is answered', [busy, { body: '' }], 1, 'k was never answered'],
  ])('is found out where %s', (_what, uses, effects, anomaly) => {
    expect(keyAnomalies('k', uses, effects)).toContain(anomaly);
  });
});
