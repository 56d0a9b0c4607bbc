import { Injectable } from '@nestjs/common';
import type { Actor } from '../changes/actor.js';
import { Parameters } from '../changes/statements.js';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { rowsAsJson } from '../database/view.js';
import { Page } from '../http/page.js';
import type { RawQuery } from '../http/raw-query.js';
import { sealCursor } from './cursor.js';
import type { Filter, ListDefinition, ListRequest, Sort, Statement } from './definition.js';
import { Relevance } from './relevance.js';
import { listName, readListRequest } from './request.js';

const SEARCH_SECONDS = 1.5;
const MOST_RANKED = 5_000;

interface PageRow {
  total: number | null;
  items: string;
  fetched: number;
  last: [string | null, string] | null;
}

/** Whose eyes a list is seen through. */
export interface Viewer extends Actor {
  isAdmin: boolean;
}

/** Reads one page of any declared list: rows, total and cursor in one statement, so from one snapshot. */
@Injectable()
export class Listing {
  private readonly cursorKey = this.secrets.keyFor('cursor');

  constructor(
    private readonly database: Database,
    private readonly relevance: Relevance,
    private readonly secrets: Secrets,
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
    const { search } = request;
    if (search === undefined) return this.readPage(me, definition, request);
    return this.database.snapshot(SEARCH_SECONDS, async () => {
      const { relevance } = definition.search ?? {};
      if (request.sort.name !== 'relevance' || relevance === undefined) return this.readPage(me, definition, request);
      const wanted = await this.relevance.want(relevance.table, search);
      return this.readPage(me, definition, { ...request, wanted });
    });
  }

  private async readPage(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<Page> {
    const p = new ListStatement(me);
    const { limit, offset } = request;
    const row = await this.database.one<PageRow>(pageSql(definition, request, me, p), p.values);
    if (row === undefined) throw new Error('a page statement yields one row');
    const more = row.fetched > limit && row.last !== null;
    const next_cursor = more ? this.seal(definition, request, row.last as [string | null, string]) : null;
    return new Page(row.items, { total: row.total, limit, offset, next_cursor });
  }

  private seal(definition: ListDefinition, { sort }: ListRequest, [key, id]: [string | null, string]): string {
    return sealCursor(this.cursorKey, listName(definition, sort), { key, id });
  }
}

/** The parameters of a list statement; `$1` is the asking user. */
export class ListStatement extends Parameters implements Statement {
  readonly me = '$1';
  private resource?: string;

  constructor(private readonly viewer: Viewer) {
    super(viewer.userId);
    this.bind = this.bind.bind(this);
  }

  myResource(): string {
    this.resource ??= this.bind(this.viewer.resourceId);
    return this.resource;
  }
}

/** The condition for every row that the request may see and asks for; also for counts by status. */
export function conditionOf(
  definition: ListDefinition,
  request: ListRequest,
  me: Viewer,
  p: ListStatement,
  scope = () => definition.scope(p),
): string {
  const { always = 'true' } = definition;
  const conditions = [p.anchor, typeof always === 'string' ? always : always(p)];
  if (!me.isAdmin || request.mine) conditions.push(scope());
  for (const [name, condition] of Object.entries(definition.unlessFiltered ?? {})) {
    if (!request.filters.has(name)) conditions.push(condition);
  }
  for (const [name, value] of request.filters) {
    const filter: Filter = definition.filters[name];
    if (filter.where !== undefined) conditions.push(filter.where(value as never, p));
  }
  conditions.push(...searched(definition, request, p));
  return conditions.join('\n AND ');
}

function searched({ search }: ListDefinition, { search: text, wanted }: ListRequest, p: ListStatement): string[] {
  if (search === undefined || text === undefined) return [];
  const { relevance } = search;
  return [wanted === undefined || relevance === undefined ? search.where(text, p) : relevance.where(wanted, p)];
}

function pageSql(definition: ListDefinition, request: ListRequest, me: Viewer, p: ListStatement): string {
  const { view } = definition;
  const scope = laneScope(definition, request, me);
  const isWholeAsked = scope === undefined || request.count;
  const { prepared, from, where } = sourceOf(definition, request, me, p, isWholeAsked);
  const key = sortKey(sortOf(definition, request, p), request.sort.descending);
  const direction = request.sort.descending ? 'DESC' : 'ASC';
  const after = request.cursor === undefined ? '' : `AND ${beyond(request, key, view.alias, p)}`;
  const order = (of: string) => `ORDER BY ${of} ${direction}, ${view.alias}.id ${direction}`;
  const { select, from: shown } = rowsAsJson(view, `shown ${view.alias}`);
  const limit = p.bind(request.limit);
  const offset = p.bind(request.offset);
  const rows =
    scope === undefined
      ? `${from} WHERE ${where} ${after}`
      : `unnest(ARRAY(SELECT DISTINCT lane.id FROM (${scope.lanes}) AS lane (id))) AS lane (id) CROSS JOIN LATERAL (
    SELECT ${view.alias}.* FROM ${from} WHERE ${conditionOf(definition, request, me, p, () => scope.inLane)} ${after}
    ${order(key.sql)} LIMIT ${limit}::integer + 1 + ${offset}::integer) ${view.alias}`;
  return `
WITH ${prepared} page AS MATERIALIZED (
  SELECT ${view.alias}.*, ${key.sql} AS sort_key FROM ${rows}
  ${order(key.sql)} LIMIT ${limit}::integer + 1 OFFSET ${offset}::integer
), shown AS (SELECT * FROM page ${view.alias} ${order('sort_key')} LIMIT ${limit}::integer)
SELECT ${request.count ? `(SELECT count(*) FROM ${from} WHERE ${where})::integer` : 'NULL::integer'} AS total,
  coalesce((SELECT json_agg(body) FROM (SELECT ${select} FROM ${shown} ${order(`${view.alias}.sort_key`)}) rows), '[]')::text AS items,
  (SELECT count(*) FROM page)::integer AS fetched,
  (SELECT json_build_array(sort_key::text, id) FROM shown ${view.alias} ${order('sort_key')} OFFSET ${limit}::integer - 1 LIMIT 1) AS last`;
}

/** How the page is found lane by lane, where that is the way: nothing but the order of creation in one's own containers. */
function laneScope(
  { lanes, joins }: ListDefinition,
  { sort, filters, search, mine }: ListRequest,
  me: Viewer,
): { lanes: string; inLane: string } | undefined {
  const isScoped = !me.isAdmin || mine;
  if (lanes === undefined || joins !== undefined || !isScoped) return undefined;
  if (sort.name !== 'created_at' || search !== undefined || filters.has('endeavour_id')) return undefined;
  return { lanes: lanes.of('$1'), inLane: `${lanes.column} = lane.id` };
}

/**
 * The rows that the list is about. Ranking costs by the row, so by relevance it is about the newest that match. Where
 * nobody asks for all of them, nothing may be bound for them: PostgreSQL refuses a value that is not used.
 */
function sourceOf(
  definition: ListDefinition,
  request: ListRequest,
  me: Viewer,
  p: ListStatement,
  isWholeAsked: boolean,
): { prepared: string; from: string; where: string } {
  const { table, alias } = definition.view;
  const from = `${table} ${alias} ${definition.joins ?? ''}`;
  const where = isWholeAsked ? conditionOf(definition, request, me, p) : 'true';
  if (request.wanted === undefined) return { prepared: '', from, where };
  const matching = `SELECT ${alias}.* FROM ${from} WHERE ${where} ORDER BY ${alias}.created_at DESC, ${alias}.id DESC`;
  return {
    prepared: `matching AS MATERIALIZED (${matching} LIMIT ${MOST_RANKED}),`,
    from: `matching ${alias}`,
    where: 'true',
  };
}

function sortOf(definition: ListDefinition, request: ListRequest, p: ListStatement): Sort {
  if (request.sort.name !== 'relevance') return definition.sorts[request.sort.name];
  const { relevance } = definition.search ?? {};
  if (relevance === undefined || request.wanted === undefined) throw new Error('relevance needs a search');
  return { sql: `(${relevance.rank(request.wanted, p)})::double precision`, type: 'double precision' };
}

const LAST: Record<Sort['type'], { ascending: string; descending: string }> = {
  timestamptz: { ascending: "'infinity'::timestamptz", descending: "'-infinity'::timestamptz" },
  text: { ascending: "U&'\\+10FFFD'", descending: "''" },
  integer: { ascending: '2147483647', descending: '-2147483648' },
  'double precision': { ascending: "'infinity'::double precision", descending: "'-infinity'::double precision" },
};

/** A key without gaps: rows that have no value get one that comes last. */
function sortKey(sort: Sort, descending: boolean): Sort {
  if (sort.nullable !== true) return sort;
  return { ...sort, sql: `coalesce(${sort.sql}, ${LAST[sort.type][descending ? 'descending' : 'ascending']})` };
}

function beyond({ cursor, sort }: ListRequest, key: Sort, alias: string, p: ListStatement): string {
  const side = sort.descending ? '<' : '>';
  return `(${key.sql}, ${alias}.id) ${side} (${p.bind(cursor?.key)}::${key.type}, ${p.bind(cursor?.id)})`;
}
