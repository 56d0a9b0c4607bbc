import type { JsonRecord } from '../../common/json.js';

export type RowChange = (row: JsonRecord) => object;

/** One page of a list: the items as a JSON array in text, and where it lies in the whole. */
export class Page {
  constructor(
    readonly items: string,
    readonly meta: { total: number | null; limit: number; offset: number; next_cursor: string | null },
  ) {}

  /** The same list with other rows, of which `columns` names the properties where they are others. */
  mapRows(change: RowChange, _columns?: readonly string[]): Page {
    return new Page(JSON.stringify((JSON.parse(this.items) as JsonRecord[]).map(change)), this.meta);
  }
}

/** A part of what has no pages: the items as a JSON array in text, whether there is more, and of a feed where to go on. */
export class FeedSlice {
  constructor(
    readonly items: string,
    readonly meta: { next?: number | null; has_more: boolean },
  ) {}
}
