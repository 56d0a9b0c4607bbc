import { orderAnomalies, type Timed } from './sweep.js';

/** An append of an item that no other client appends; if `ended` is `Infinity`, its outcome is unknown. */
export interface Append extends Timed {
  item: string;
}

/** A read of the whole list. */
export interface Read extends Timed {
  items: string[];
}

/**
 * Returns the contradictions to a list that only grows: acknowledged items that a later read lacks, duplicates, items
 * that no client sent, items that were read before they were sent, and reads that disagree about the order. `last` is
 * the list after all operations.
 */
export function listAnomalies(appends: Append[], reads: Read[], last: string[]): string[] {
  const place = new Map(last.map((item, index) => [item, index]));
  const all = [...reads, { items: last, begun: Infinity, ended: Infinity }];
  const sent = new Map(appends.map((append) => [append.item, append]));
  return [
    ...all.flatMap((read) => [...readAnomalies(read, sent, place)]),
    ...missing(appends, all),
    ...orderAnomalies(
      appends,
      ({ item }) => place.get(item),
      ({ item }, at, reached) => (at > reached ? undefined : `"${item}" stands before one that was there earlier`),
    ),
  ];
}

function* readAnomalies(read: Read, sent: Map<string, Append>, place: Map<string, number>): Generator<string> {
  const seen = new Set<string>();
  let before = -1;
  for (const item of read.items) {
    const append = sent.get(item);
    if (append === undefined) yield `no client appended "${item}"`;
    else if (append.begun > read.ended) yield `"${item}" was read before it was sent`;
    if (seen.has(item)) yield `"${item}" is there twice`;
    seen.add(item);
    const at = place.get(item);
    if (at === undefined) yield `"${item}" was read and is gone`;
    else if (at < before) yield `"${item}" stands at different places`;
    before = Math.max(before, at ?? -1);
  }
}

/** Every read that begins after an item was acknowledged, or after another read returned it, must contain it. */
function missing(appends: Append[], reads: Read[]): string[] {
  const seen = reads.map(({ begun, ended, items }) => ({ begun, ended, items: new Set(items) }));
  return appends.flatMap(({ item, ended }) => {
    const there = seen.filter(({ items }) => items.has(item)).map((read) => read.ended);
    const known = there.reduce((earliest, end) => Math.min(earliest, end), ended);
    const late = seen.filter(({ begun, items }) => begun > known && !items.has(item));
    return late.map(() => `"${item}" was known and is missing in a later read`);
  });
}
