import type { Actor } from '../changes/actor.js';
import { Parameters } from '../changes/statements.js';
import { rowsAsJson } from '../database/view.js';
import type { Filter, Lanes, ListDefinition, ListRequest, Sort, Statement } from './definition.js';

/** So many of the newest that match are ranked, as ranking costs by the row. */
const MOST_RANKED = 5_000;

/** Whose eyes a list is seen through. */
export interface Viewer extends Actor {
  isAdmin: boolean;
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
  scope?: () => string,
): string {
  return [...withoutSearch(definition, request, me, p, scope), ...searched(definition, request, p)].join('\n AND ');
}

function withoutSearch(
  definition: ListDefinition,
  request: ListRequest,
  me: Viewer,
  p: ListStatement,
  scope = () => scopeOf(definition, request, p),
): string[] {
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
  return conditions;
}

/** Whether somebody is in the one container that they name is found out once, and not of each row. */
function scopeOf(definition: ListDefinition, { filters }: ListRequest, p: ListStatement): string {
  const { lanes, among, view } = definition;
  if (among !== undefined && !among.unless.some((name) => filters.has(name))) {
    return `${view.alias}.id = ANY(ARRAY(${among.ids(p.me)})) AND ${definition.scope(p)}`;
  }
  const named = filters.get('endeavour_id');
  if (lanes === undefined || !Array.isArray(named) || named.length !== 1) return definition.scope(p);
  return `EXISTS (SELECT 1 FROM (${lanes.of(p.me)}) AS own (id) WHERE own.id = ${p.bind(named[0])})`;
}

function searched({ search }: ListDefinition, { search: text, wanted }: ListRequest, p: ListStatement): string[] {
  if (search === undefined || text === undefined) return [];
  const { relevance } = search;
  return [wanted === undefined || relevance === undefined ? search.where(text, p) : relevance.where(wanted, p)];
}

/** Where the rows of the page come from, with the key that they are sorted by, and where those of the total. */
interface Found {
  prepared?: string;
  page: string;
  whole: string;
}

/** One page with all that belongs to it: `total`, `items` as JSON, how many rows were `fetched`, and where it ends. */
export class PageStatement {
  private readonly table = this.definition.view.table;
  private readonly alias = this.definition.view.alias;
  private readonly from = `${this.table} ${this.alias} ${this.definition.joins ?? ''}`;
  private readonly key = sortKey(sortOf(this.definition, this.request, this.p), this.request.sort.descending);
  private readonly limit = this.p.bind(this.request.limit);
  private readonly offset = this.p.bind(this.request.offset);
  private readonly cursor = this.request.cursor && [
    this.p.bind(this.request.cursor.key),
    this.p.bind(this.request.cursor.id),
  ];

  constructor(
    private readonly definition: ListDefinition,
    private readonly request: ListRequest,
    private readonly me: Viewer,
    private readonly p: ListStatement,
  ) {}

  text(): string {
    const { alias, limit } = this;
    const { prepared = '', page, whole } = this.found();
    const { select, from } = rowsAsJson(this.definition.view, `shown ${alias}`);
    return `
WITH ${prepared} page AS MATERIALIZED (${page}),
shown AS (SELECT * FROM page ${alias} ${this.order('sort_key')} LIMIT ${limit}::integer)
SELECT ${this.request.count ? `(SELECT count(*) FROM ${whole})::integer` : 'NULL::integer'} AS total,
  coalesce((SELECT json_agg(body) FROM (SELECT ${select} FROM ${from} ${this.order(`${alias}.sort_key`)}) rows), '[]')::text AS items,
  (SELECT count(*) FROM page)::integer AS fetched,
  (SELECT json_build_array(sort_key::text, id) FROM shown ${alias} ${this.order('sort_key')} OFFSET ${limit}::integer - 1 LIMIT 1) AS last`;
  }

  private found(): Found {
    const { search, wanted, count } = this.request;
    const { lanes } = this.definition;
    if (lanes !== undefined && this.isByLanes()) return this.byLanes(lanes);
    if (wanted !== undefined) return this.ranked();
    if (search !== undefined && count) return this.searched();
    const whole = this.matching();
    return { whole, page: this.slice(`${this.alias}.*`, this.key.sql, whole) };
  }

  /** Nothing but the order of creation in one's own containers. */
  private isByLanes(): boolean {
    const { sort, filters, search, mine } = this.request;
    const isScoped = !this.me.isAdmin || mine;
    const isPlain = this.definition.joins === undefined && search === undefined && !filters.has('endeavour_id');
    return isScoped && isPlain && sort.name === 'created_at';
  }

  /** The newest of each container from an index, then the newest of those; only what is shown is read from the table. */
  private byLanes(lanes: Lanes): Found {
    const { alias, key } = this;
    const inLane = `${this.from} WHERE ${this.condition(() => `${lanes.column} = lane.id`)} ${this.beyond(key.sql)}`;
    const page = `SELECT ${alias}.id, ${alias}.sort_key
      FROM unnest(ARRAY(SELECT DISTINCT lane.id FROM (${lanes.of(this.p.me)}) AS lane (id))) AS lane (id)
      CROSS JOIN LATERAL (SELECT ${alias}.id, ${key.sql} AS sort_key FROM ${inLane} ${this.order(key.sql)}
        LIMIT ${this.limit}::integer + 1 + ${this.offset}::integer) ${alias}
      ${this.order('sort_key')} ${this.window}`;
    // What is bound for nothing would be refused.
    return { page: this.rowsOf(page), whole: this.request.count ? `${this.from} WHERE ${this.condition()}` : '' };
  }

  private ranked(): Found {
    const { alias } = this;
    const newest = `ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT ${MOST_RANKED}`;
    const matching = `SELECT ${alias}.* FROM ${this.matching()} ${newest}`;
    const whole = `matching ${alias}`;
    return {
      prepared: `matching AS MATERIALIZED (${matching}),`,
      page: this.slice(`${alias}.*`, this.key.sql, `${whole} WHERE true`),
      whole,
    };
  }

  /** Searching is what costs, so page and total share it. */
  private searched(): Found {
    const { alias } = this;
    const matching = `SELECT ${alias}.id, ${this.key.sql} AS sort_key FROM ${this.matching()}`;
    const whole = `matching ${alias}`;
    return {
      prepared: `matching AS MATERIALIZED (${matching}),`,
      page: this.rowsOf(this.slice(`${alias}.id`, `${alias}.sort_key`, `${whole} WHERE true`)),
      whole,
    };
  }

  private slice(columns: string, key: string, matching: string): string {
    const from = `${matching} ${this.beyond(key)}`;
    return `SELECT ${columns}, ${key} AS sort_key FROM ${from} ${this.order(key)} ${this.window}`;
  }

  /** The rows behind ids and sort keys. */
  private rowsOf(found: string): string {
    const { table, alias } = this;
    return `SELECT ${alias}.*, found.sort_key FROM (${found}) found JOIN ${table} ${alias} ON ${alias}.id = found.id`;
  }

  /** One row more than is shown says whether there is another page. */
  private get window(): string {
    return `LIMIT ${this.limit}::integer + 1 OFFSET ${this.offset}::integer`;
  }

  /** All rows that match. */
  private matching(): string {
    const { definition, request, me, p, alias } = this;
    if (request.isNarrow !== true) return `${this.from} WHERE ${this.condition()}`;
    // OFFSET 0 keeps PostgreSQL from looking the words up among those of everybody.
    const seen = `SELECT ${alias}.* FROM ${this.from} WHERE ${withoutSearch(definition, request, me, p).join(' AND ')}`;
    return `(${seen} OFFSET 0) ${alias} WHERE ${searched(definition, request, p).join(' AND ')}`;
  }

  private condition(scope?: () => string): string {
    return conditionOf(this.definition, this.request, this.me, this.p, scope);
  }

  private beyond(key: string): string {
    if (this.cursor === undefined) return '';
    const [value, id] = this.cursor;
    const side = this.request.sort.descending ? '<' : '>';
    return `AND (${key}, ${this.alias}.id) ${side} (${value}::${this.key.type}, ${id})`;
  }

  private order(key: string): string {
    const direction = this.request.sort.descending ? 'DESC' : 'ASC';
    return `ORDER BY ${key} ${direction}, ${this.alias}.id ${direction}`;
  }
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
