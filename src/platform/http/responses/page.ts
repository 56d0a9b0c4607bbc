import type { JsonRecord } from '../../../common/texts/json.js';

export type RowChange = (row: JsonRecord) => object;

export interface PageMeta {
  total: number | null;
  /** Absent if the total is exact or null. */
  total_is?: 'at_least';
  limit: number;
  offset: number;
  next_cursor: string | null;
}

/** One page of a list: the JSON text of each item, and their position in the list. */
export class Page {
  constructor(
    readonly items: readonly string[],
    readonly meta: PageMeta,
  ) {}

  /** The same list with changed rows; `columns` names their properties if they differ. */
  mapRows(change: RowChange, _columns?: readonly string[]): Page {
    return new Page(
      this.items.map((item) => JSON.stringify(change(JSON.parse(item) as JsonRecord))),
      this.meta,
    );
  }
}

/**
 * A part of a list without pages: the JSON text of each item, whether there are more, and for a feed the next position.
 */
export class FeedSlice {
  constructor(
    readonly items: readonly string[],
    readonly meta: { next?: number | null; has_more: boolean; [name: string]: unknown },
    /** What is returned beside the items. */
    readonly beside: object = {},
  ) {}
}

/** The items of a page that are not JSON text yet. */
export const jsonTexts = (items: readonly object[]): string[] => items.map((item) => JSON.stringify(item));
