import { newId } from './ids.js';
import {
  importedRank,
  LONG_RANK,
  rankBefore,
  rankBehind,
  rankBetween,
  rankOfId,
  SHORT_RANK,
  spreadRanks,
} from './ranks.js';

/** A generator of pseudo-random numbers below `bound`, the same in each run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

describe('ranks', () => {
  it('keep any order in which entities are moved, among those of ids', () => {
    const next = numbers(7);
    const list = Array.from({ length: 20 }, () => rankOfId(newId('task')));
    for (let move = 0; move < 2_000; move += 1) {
      const [rank] = list.splice(next(list.length), 1);
      const at = next(list.length + 1);
      const lower = list.at(at - 1);
      const upper = list.at(at);
      const made =
        at === 0
          ? rankBefore(list[0])
          : at === list.length
            ? rankBehind(list.at(-1) ?? '')
            : rankBetween(lower ?? '', upper);
      list.splice(at, 0, made);
      expect(rank).toBeDefined();
      if (at > 0) expect(made > list[at - 1]).toBe(true);
      if (at < list.length - 1) expect(made < list[at + 1]).toBe(true);
      expect(made).toMatch(/^[0-9A-Za-z]+$/);
    }
    expect(list).toEqual(list.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(Math.max(...list.map(({ length }) => length))).toBeLessThan(60);
  });

  it('stay short at both ends', () => {
    let [first, last] = [rankOfId(newId('task')), 'zz'];
    for (let move = 0; move < 1_000; move += 1) {
      const before = rankBefore(first);
      expect(before < first).toBe(true);
      first = before;
      const behind = rankBehind(last);
      expect(behind > last).toBe(true);
      last = behind;
    }
    expect(Math.max(first.length, last.length)).toBeLessThan(12);
  });

  it('grow by one digit for several moves to the same place', () => {
    let [lower, upper] = [rankOfId(newId('task')), rankOfId(newId('task'))];
    for (let move = 0; move < 300; move += 1) {
      const made = rankBetween(lower, upper);
      expect(made > lower && made < upper).toBe(true);
      if (move % 2 === 0) lower = made;
      else upper = made;
    }
    expect(lower.length).toBeLessThan(120);
  });

  it.each([
    ['at once', 2_000],
    ['in parts', 40],
  ])('between the same two others become short %s, in the same order at each step', (_, most) => {
    const next = numbers(11);
    let [lower, upper] = [rankOfId(newId('task')), rankOfId(newId('task'))];
    const [first, last] = [lower, upper];
    const made: string[] = [];
    for (let move = 0; move < 400; move += 1) {
      const rank = rankBetween(lower, upper);
      made.push(rank);
      if (next(2) === 0) lower = rank;
      else upper = rank;
    }
    const list = [first, ...made.toSorted((a, b) => (a < b ? -1 : 1)), last];
    expect(Math.max(...list.map(({ length }) => length))).toBeGreaterThan(LONG_RANK);
    for (let step = 0; list.some(({ length }) => length > SHORT_RANK + 4); step += 1) {
      let at = list.findIndex(({ length }) => length > SHORT_RANK + 4);
      while (list[at - 1].length > SHORT_RANK) at -= 1;
      const behind = list.findIndex(({ length }, place) => place > at && length <= SHORT_RANK);
      const run = list.slice(at, behind);
      const spread = spreadRanks(run, { lower: list[at - 1], upper: list[behind], most });
      list.splice(at + (spread?.from ?? 0), spread?.ranks.length ?? 0, ...(spread?.ranks ?? []));
      expect(list.every((rank, place) => place === 0 || rank > list[place - 1])).toBe(true);
      expect(list.every((rank) => /^[0-9A-Za-z]*[1-9A-Za-z]$/.test(rank) || rank === first || rank === last)).toBe(
        true,
      );
      expect(step).toBeLessThan(100);
    }
    expect(list).toHaveLength(402);
  });

  it('at an end become short too, and those that cannot be parted stay', () => {
    const long = ['V1', 'V2', 'V3'].map((rank) => rank.padEnd(70, 'k'));
    const [before, behind] = [spreadRanks(long, { upper: 'W', most: 9 }), spreadRanks(long, { lower: 'U', most: 9 })];
    for (const { ranks } of [before, behind].filter((one) => one !== undefined)) {
      expect(ranks).toHaveLength(3);
      expect(ranks).toEqual(ranks.toSorted((a, b) => (a < b ? -1 : 1)));
      expect(Math.max(...ranks.map(({ length }) => length))).toBeLessThan(4);
    }
    expect(behind?.ranks.every((rank) => rank > 'U')).toBe(true);
    expect(before?.ranks.every((rank) => rank < 'W')).toBe(true);
    expect(spreadRanks(['a00'], { lower: 'a', upper: 'a000', most: 9 })).toBeUndefined();
  });

  it('of the last entity come before those of later ids', () => {
    const last = rankBehind(rankOfId(newId('task')));
    expect(rankOfId(newId('task')) > last).toBe(true);
  });

  it('that cannot be parted are equal', () => {
    expect(rankBetween('a', 'a00')).toBe('a00');
  });

  it.each([
    ['0Az', '0Az'],
    ['', null],
    ['a-b', null],
    ['a'.repeat(201), null],
    [7, null],
    [undefined, null],
  ])('are imported if they are ranks: %j', (value, rank) => {
    expect(importedRank(value)).toBe(rank);
  });
});
