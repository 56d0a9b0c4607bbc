import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { Page } from '../http/page.js';
import { ResponseBufferLimiter } from '../http/response-buffer-limiter.js';
import type { RawQuery } from '../http/query-parameters.js';
import { positionOf, sealCursor } from './cursor.js';
import type { ListDefinition, ListRequest } from './definition.js';
import { ListStatement, PageStatement, type Viewer } from './page-statement.js';
import { Relevance } from './relevance.js';
import { listName, readListRequest } from './request.js';

const SEARCH_SECONDS = 1.5;
/** Reading so many rows takes about as long as looking two common words up among a million. */
const MOST_LOOKED_THROUGH = 2_000;

interface PageRow {
  total: number | null;
  items: string;
  fetched: number;
  /** The sort keys of the last row that is shown, and its id. */
  last: (string | null)[] | null;
}

/** Reads one page of any declared list: rows, total and cursor in one statement, so from one snapshot. */
@Injectable()
export class Listing {
  private readonly cursorKey = this.secrets.keyFor('cursor');

  constructor(
    private readonly database: Database,
    private readonly relevance: Relevance,
    private readonly secrets: Secrets,
    private readonly unread: ResponseBufferLimiter,
  ) {}

  /** Reads the query by the area's declaration; refuses it with every fault at once. */
  read(definition: ListDefinition, raw: RawQuery): ListRequest {
    return readListRequest(definition, raw.query, this.cursorKey, raw);
  }

  page(me: Viewer, definition: ListDefinition, raw: RawQuery): Promise<Page> {
    return this.pageOf(me, definition, this.read(definition, raw));
  }

  /** A search may take so long, and no longer: nobody waits for it, and others want the database too. */
  pageOf(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<Page> {
    this.unread.admit(me.userId);
    const { search } = request;
    if (search === undefined) return this.readPage(me, definition, request);
    return this.database.snapshot(SEARCH_SECONDS, async () => {
      const { relevance } = definition.search ?? {};
      const isRanked = request.sort[0].name === 'relevance' && relevance !== undefined;
      const [scansVisibleRows, searchQuery] = await Promise.all([
        this.isNarrow(me, definition, request),
        isRanked ? this.relevance.want(relevance.table, search) : undefined,
      ]);
      return this.readPage(me, definition, {
        ...request,
        scansVisibleRows,
        ...(searchQuery !== undefined && { searchQuery }),
      });
    });
  }

  /**
   * Whether the rows in which the caller searches are few: where all tasks are many, so are those that have the words,
   * and it is faster to read the few than to find out which of the many are among them.
   */
  private async isNarrow(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<boolean> {
    const { filters, mine, archived } = request;
    const { partitions, view, joins } = definition;
    const named = filters.get('endeavour_id');
    if (partitions === undefined || joins !== undefined || (me.isAdmin && !mine && named === undefined)) return false;
    const lane = named === undefined ? `ANY(ARRAY(${partitions.of('$1', archived)}))` : 'ANY($1)';
    const row = await this.database.one<{ rows: number }>(
      `SELECT count(*)::integer AS rows FROM
         (SELECT 1 FROM ${view.table} ${view.alias} WHERE ${partitions.column} = ${lane} LIMIT $2::integer + 1) seen`,
      [named ?? me.userId, MOST_LOOKED_THROUGH],
    );
    return row !== undefined && row.rows <= MOST_LOOKED_THROUGH;
  }

  private async readPage(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<Page> {
    const p = new ListStatement(me);
    const { limit, offset } = request;
    const row = await this.database.one<PageRow>(new PageStatement(definition, request, me, p).text(), p.values);
    if (row === undefined) throw new Error('the page statement returned no row');
    const hasMore = row.fetched > limit && row.last !== null;
    const next_cursor = hasMore ? this.seal(definition, request, row.last as (string | null)[]) : null;
    return new Page(row.items, { total: row.total, limit, offset, next_cursor });
  }

  private seal(definition: ListDefinition, { sort }: ListRequest, last: (string | null)[]): string {
    return sealCursor(this.cursorKey, listName(definition, sort), positionOf(last));
  }
}
