/** One page of a list: the items as a JSON array in text, and where it lies in the whole. */
export class Page {
  constructor(
    readonly items: string,
    readonly meta: { total: number | null; limit: number; offset: number; next_cursor: string | null },
  ) {}
}

/** A part of a feed: the items as a JSON array in text, and where to go on. */
export class FeedSlice {
  constructor(
    readonly items: string,
    readonly meta: { next: number | null; has_more: boolean },
  ) {}
}
