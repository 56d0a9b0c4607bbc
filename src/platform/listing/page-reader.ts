import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { ListDefinition, ListRequest } from './definition.js';
import { ListStatement, type Viewer } from './list-condition.js';
import { PageStatement, type PageRows } from './page-statement.js';
import { Relevance } from './search/relevance.js';

/** Reading this many rows takes about as long as looking up two common words among a million rows. */
const MAX_LOOKED_THROUGH = 2_000;

/** Reads one page of a list in one statement, and therefore from one snapshot. */
@Injectable()
export class PageReader {
  constructor(
    private readonly database: Database,
    private readonly relevance: Relevance,
  ) {}

  async read(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<PageRows> {
    const p = new ListStatement(me);
    const statement = new PageStatement(definition, request, me, p);
    return statement.read(await this.database.queryAsText(statement.text(), p.values));
  }

  /**
   * The request with the facts that a search needs; read in its snapshot. What the caller sees is not counted if the index
   * finds few rows anyway.
   */
  async prepared(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<ListRequest> {
    const { search } = request;
    if (search === undefined) return request;
    const { relevance } = definition.search ?? {};
    const isRanked = request.sort[0].name === 'relevance' && relevance !== undefined;
    const searchQuery = isRanked ? await this.relevance.prepareQuery(relevance.table, search) : undefined;
    const findsFew = (searchQuery?.expectedRows ?? Infinity) <= MAX_LOOKED_THROUGH;
    const scansVisibleRows = !findsFew && (await this.isNarrow(me, definition, request));
    return { ...request, scansVisibleRows, ...(searchQuery !== undefined && { searchQuery }) };
  }

  /** Whether the caller sees few rows: it is then faster to scan those than to look up the words among all rows. */
  private async isNarrow(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<boolean> {
    const { filters, mine, archived } = request;
    const { partitions, view, joins } = definition;
    const chosen = filters.get('endeavour_id');
    const named = Array.isArray(chosen) ? chosen : undefined;
    if (partitions === undefined || joins !== undefined || (me.isAdmin && !mine && named === undefined)) return false;
    const keys = named === undefined ? `ANY(ARRAY(${partitions.of('$1', archived)}))` : 'ANY($1)';
    const row = await this.database.one<{ rows: number }>(
      `SELECT count(*)::integer AS rows FROM
         (SELECT 1 FROM ${view.table} ${view.alias} WHERE ${partitions.column} = ${keys} LIMIT $2::integer + 1) seen`,
      [named ?? me.userId, MAX_LOOKED_THROUGH],
    );
    return row !== undefined && row.rows <= MAX_LOOKED_THROUGH;
  }
}
