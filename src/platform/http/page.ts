import type { JsonRecord } from '../../common/json.js';

export type RowChange = (row: JsonRecord) => object;

export interface PageMeta {
  total: number | null;
  /** Absent if the total is exact or null. */
  total_is?: 'at_least';
  limit: number;
  offset: number;
  next_cursor: string | null;
}

/** One page of a list: the items as a JSON array in text, and their position in the list. */
export class Page {
  constructor(
    readonly items: string,
    readonly meta: PageMeta,
  ) {}

  /** The same list with changed rows; `columns` names their properties if they differ. */
  mapRows(change: RowChange, _columns?: readonly string[]): Page {
    return new Page(JSON.stringify((JSON.parse(this.items) as JsonRecord[]).map(change)), this.meta);
  }
}

/**
 * A part of a list without pages: the items as a JSON array in text, whether there are more, and for a feed the next
 * position.
 */
export class FeedSlice {
  constructor(
    readonly items: string,
    readonly meta: { next?: number | null; has_more: boolean },
  ) {}
}
