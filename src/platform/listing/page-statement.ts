import { textColumnsOf, type TextRow } from '../database/views/text-row.js';
import { bindCallerId } from '../database/views/view.js';
import type { ListDefinition, ListRequest, Partitions, Sort } from './definition.js';
import { conditionOf, searched, withoutSearch, type ListStatement, type Viewer } from './list-condition.js';
import { positionOf, type Position } from './cursor.js';
import { PageOrder } from './page-order.js';

/** The number of newest matches that are ranked, because ranking costs per row. */
const MAX_RANKED = 5_000;
/** The number of matches that are counted, because finding all rows with a common word takes seconds. */
const MAX_COUNTED = 10_000;
/** The same where nothing is counted: more matches are found sooner by reading the rows in their order. */
const MAX_SORTED = 1_000;
/** Filters that leave many rows of an endeavour. */
const BROAD = ['endeavour_id', 'status'];

/** The JSON text of each row of one page, the total, and the position of the next page. */
export interface PageRows {
  total: number | null;
  /** Whether there are more matches than the total, which is then the number up to which they are counted. */
  isMore: boolean;
  items: string[];
  next: Position | undefined;
}

/** The sources of the page, with its sort keys, and of the total. */
interface RowSources {
  prepared?: string;
  page: string;
  whole: string;
}

/** The number of columns before those of the representation: total, sort keys and id. */
const columnsBefore = ({ sort }: ListRequest): number => sort.length + 2;

/**
 * Builds the statement for one page. Every row has the `total`, its sort keys and id, and then the columns of the
 * representation; one row more than the limit indicates another page. An empty list has one row with only the total.
 */
export class PageStatement {
  private readonly table = this.definition.view.table;
  private readonly alias = this.definition.view.alias;
  private readonly from = `${this.table} ${this.alias} ${this.definition.joins ?? ''}`;
  private readonly order = new PageOrder(this.definition, this.request, this.p);
  private readonly limit = this.p.bind(this.request.limit);
  private readonly offset = this.p.bind(this.request.offset);
  private readonly columns = textColumnsOf(this.definition.view, this.request.fields);

  constructor(
    private readonly definition: ListDefinition,
    private readonly request: ListRequest,
    private readonly me: Viewer,
    private readonly p: ListStatement,
  ) {}

  text(): string {
    const { alias, columns, order } = this;
    const { prepared = '', page, whole } = this.sources();
    const keys = order.names(`${alias}.`);
    const total = this.request.count ? `(SELECT count(*) FROM ${whole})` : 'NULL::bigint';
    const joins = bindCallerId(this.definition.view.joins);
    const rows = `page ${alias} ${joins}`;
    // MATERIALIZED, because wrong estimates for the few rows of a page lead to bad join plans.
    return `
WITH ${prepared} page AS MATERIALIZED (${page})
SELECT counted.total, ${keys.join('::text, ')}::text, ${alias}.id, ${columns.select}
FROM (SELECT ${total} AS total) counted
LEFT JOIN ${joins === '' ? rows : `(${rows})`} ON true
${order.orderBy(keys)}`;
  }

  /** The page that the rows of the statement make. */
  read(rows: TextRow[]): PageRows {
    const { columns, request } = this;
    const first = columnsBefore(request);
    const [{ 0: total }] = rows;
    const shown = rows.slice(0, request.limit).filter((row) => row[first - 1] !== null);
    const items = shown.map((row) => columns.toJson(row, first));
    const hasMore = rows.length > request.limit;
    const next = hasMore ? positionOf((shown.at(-1) ?? []).slice(1, first)) : undefined;
    return { ...(this.request.countsPage === true ? this.totalOfPage(items, next) : this.totalOf(total)), items, next };
  }

  /** The matches up to the end of the page; after a cursor, only those of the page are known. */
  private totalOfPage(items: string[], next?: Position): Pick<PageRows, 'total' | 'isMore'> {
    const { offset, cursor } = this.request;
    const isPast = items.length === 0 && offset > 0;
    const isMore = next !== undefined || cursor !== undefined || isPast;
    return { total: isPast ? 0 : offset + items.length, isMore };
  }

  private totalOf(counted: string | null): Pick<PageRows, 'total' | 'isMore'> {
    if (counted === null) return { total: null, isMore: false };
    const total = Number(counted);
    const most = this.mostCounted();
    return { total: Math.min(total, most), isMore: total > most };
  }

  private mostCounted(): number {
    const { search, searchQuery, countsAll, count } = this.request;
    if (searchQuery !== undefined) return MAX_RANKED;
    if (search === undefined || countsAll === true) return Infinity;
    return count ? MAX_COUNTED : MAX_SORTED;
  }

  private sources(): RowSources {
    const { search, searchQuery, count } = this.request;
    const { partitions } = this.definition;
    if (partitions !== undefined && this.isByPartitions()) return this.byPartitions(partitions);
    const values = this.orderedValues();
    if (values !== undefined) return this.byValues(values);
    if (searchQuery !== undefined) return this.ranked();
    if (search !== undefined && (count || !this.isScoped)) return this.searched();
    const whole = this.matching();
    return { whole, page: this.slice(`${this.alias}.*`, this.order.keys, whole) };
  }

  /** The indexed values of the only sort key. Other filters can leave so few rows that reading the index costs more. */
  private orderedValues(): Sort['values'] {
    const { search, sort, filters } = this.request;
    if (sort.length > 1 || search !== undefined || [...filters.keys()].some((name) => !BROAD.includes(name)))
      return undefined;
    const { name } = sort[0];
    return Object.hasOwn(this.definition.sorts, name) ? this.definition.sorts[name].values : undefined;
  }

  /** Whether the list is only ordered by creation within the caller's containers. */
  private isByPartitions(): boolean {
    const { sort, filters, search } = this.request;
    const isPlain = this.definition.joins === undefined && search === undefined && !filters.has('endeavour_id');
    return this.isScoped && isPlain && sort[0].name === 'created_at';
  }

  /** Whether the list contains only what the caller has a role for. */
  private get isScoped(): boolean {
    return !this.me.isAdmin || this.request.mine;
  }

  /**
   * The newest rows of each container from an index, then the newest of those; only the shown rows are read from the
   * table.
   */
  private byPartitions(partitions: Partitions): RowSources {
    const { alias, order } = this;
    const inPartition = `${this.from} WHERE ${this.condition(() => `${partitions.column} = part.id`)} ${order.afterCursor()}`;
    const page = `SELECT ${[`${alias}.id`, ...order.names(`${alias}.`)].join(', ')}
      FROM unnest(ARRAY(SELECT DISTINCT part.id FROM (${partitions.of(this.p.me, this.request.archived)}) AS part (id))) AS part (id)
      CROSS JOIN LATERAL (SELECT ${alias}.id, ${order.columns()} FROM ${inPartition} ${order.orderBy()}
        LIMIT ${this.limit}::integer + 1 + ${this.offset}::integer) ${alias}
      ${order.orderBy(order.names())} ${this.window}`;
    // PostgreSQL rejects unused parameters.
    return { page: this.rowsOf(page), whole: this.request.count ? `${this.from} WHERE ${this.condition()}` : '' };
  }

  /** The rows with a value of the key from the index of the values; the others only if these do not fill the page. */
  private byValues({ from, id, sql }: Sort['values'] & {}): RowSources {
    const { alias, order, table } = this;
    const last = `(${order.last})`;
    const most = `${this.limit}::integer + 1 + ${this.offset}::integer`;
    const slice = (key: string, source: string): string =>
      `SELECT ${alias}.id, ${order.columns([key])} FROM ${source} ${order.afterCursor([key])}`;
    const valued = slice(sql, `${from} JOIN ${table} ${alias} ON ${alias}.id = ${id} WHERE ${this.condition()}`);
    const isOther = `NOT EXISTS (SELECT 1 FROM ${from} WHERE ${id} = ${alias}.id)`;
    const others = slice(last, `${this.matching()} AND ${isOther} AND (SELECT count(*) FROM valued) < ${most}`);
    const page = `SELECT ${alias}.* FROM ((SELECT * FROM valued) UNION ALL (${others} ${order.orderById()} LIMIT ${most})) ${alias}
      ${order.orderBy(order.names(`${alias}.`))} ${this.window}`;
    return {
      prepared: `valued AS MATERIALIZED (${valued} ${order.orderBy([sql])} LIMIT ${most}),`,
      page: this.rowsOf(page),
      whole: this.request.count ? this.matching() : '',
    };
  }

  private ranked(): RowSources {
    const { alias } = this;
    const newest = `ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT ${MAX_RANKED + 1}`;
    const matching = `SELECT ${alias}.* FROM ${this.matching()} ${newest}`;
    const whole = `matching ${alias}`;
    return {
      prepared: `matching AS MATERIALIZED (${matching}),`,
      page: this.slice(`${alias}.*`, this.order.keys, `${whole} WHERE true`),
      whole,
    };
  }

  /**
   * Page and total share the search, which is the expensive part. If there are more matches than are counted, the page
   * is read in its order instead, which finds common words soon.
   */
  private searched(): RowSources {
    const { alias, order } = this;
    const most = this.mostCounted();
    const names = order.names(`${alias}.`);
    const isBounded = most < Infinity && this.request.scansVisibleRows !== true;
    const bound = isBounded ? `LIMIT ${most + 1}` : '';
    const matching = `SELECT ${alias}.id, ${order.columns()} FROM ${this.matching()} ${bound}`;
    const whole = `matching ${alias}`;
    const few = isBounded ? `(SELECT count(*) <= ${most} FROM matching)` : 'true';
    let found = this.slice(`${alias}.id`, names, `${whole} WHERE ${few}`);
    if (isBounded) {
      found = `(${found}) UNION ALL (${this.slice(`${alias}.id`, order.keys, `${this.matching()} AND NOT ${few}`)})`;
    }
    return { prepared: `matching AS MATERIALIZED (${matching}),`, page: this.rowsOf(found), whole };
  }

  private slice(columns: string, keys: readonly string[], matching: string): string {
    const { order } = this;
    return `SELECT ${columns}, ${order.columns(keys)} FROM ${matching} ${order.afterCursor(keys)} ${order.orderBy(keys)} ${this.window}`;
  }

  /** The rows for ids and sort keys. */
  private rowsOf(found: string): string {
    const { table, alias } = this;
    const columns = [`${alias}.*`, ...this.order.names('found.')].join(', ');
    return `SELECT ${columns} FROM (${found}) found JOIN ${table} ${alias} ON ${alias}.id = found.id`;
  }

  /** One row more than the limit indicates another page. */
  private get window(): string {
    return `LIMIT ${this.limit}::integer + 1 OFFSET ${this.offset}::integer`;
  }

  /** All rows that match. */
  private matching(): string {
    const { definition, request, me, p, alias } = this;
    if (request.scansVisibleRows !== true) return `${this.from} WHERE ${this.condition()}`;
    // OFFSET 0 prevents PostgreSQL from checking the words in the rows of all tenants.
    const seen = `SELECT ${alias}.* FROM ${this.from} WHERE ${withoutSearch(definition, request, me, p).join(' AND ')}`;
    return `(${seen} OFFSET 0) ${alias} WHERE ${searched(definition, request, p).join(' AND ')}`;
  }

  private condition(scope?: () => string): string {
    return conditionOf(this.definition, this.request, this.me, this.p, scope);
  }
}
