import type { Position } from './cursor.js';
import type { ListDefinition, ListRequest, Sort, SortKey, Statement } from './definition.js';

type OrderKey = Sort & { descending: boolean };

/** The maximum number of sort keys, and their column names. */
export const SORT_KEYS = ['sort_key', 'sort_key_2', 'sort_key_3'] as const;

/** The order of a list in SQL: its keys, then the id, and the condition for rows after a cursor. */
export class PageOrder {
  /** The keys as expressions over the rows of the list. */
  readonly keys: readonly string[];
  private readonly ordered: readonly OrderKey[];
  private readonly alias: string;
  private readonly after?: { keys: readonly string[]; id: string };

  constructor(
    definition: ListDefinition,
    request: ListRequest,
    private readonly statement: Statement,
  ) {
    this.ordered = request.sort.map((key) => withoutGaps(sortOf(definition, request, key, statement), key.descending));
    this.keys = this.ordered.map(({ sql }) => sql);
    this.after = request.cursor && this.bound(request.cursor);
    this.alias = definition.view.alias;
  }

  /** The column names of the keys, with a prefix for the source. */
  names(prefix = ''): string[] {
    return this.ordered.map((_, index) => prefix + SORT_KEYS[index]);
  }

  /** The keys as columns with those names. */
  columns(keys = this.keys): string {
    let columns = `${keys[0]} AS ${SORT_KEYS[0]}`;
    for (let index = 1; index < keys.length; index += 1) columns += `, ${keys[index]} AS ${SORT_KEYS[index]}`;
    return columns;
  }

  orderBy(keys = this.keys): string {
    let order = 'ORDER BY ';
    for (let index = 0; index < keys.length; index += 1) order += `${keys[index]} ${this.directionOf(index)}, `;
    return `${order}${this.alias}.id ${this.directionOf(keys.length - 1)}`;
  }

  /** The order of rows that have the same keys. */
  orderById(): string {
    return `ORDER BY ${this.alias}.id ${this.directionOf(this.ordered.length - 1)}`;
  }

  /** The value of the first key that rows without one have. */
  get last(): string {
    const { type, descending } = this.ordered[0];
    return LAST[type][descending ? 'descending' : 'ascending'];
  }

  /** The condition for rows after the cursor, if any; an index can be used if all keys have the same direction. */
  afterCursor(keys = this.keys): string {
    if (this.after === undefined) return '';
    const columns = [...keys, `${this.alias}.id`];
    const values = [...this.after.keys, this.after.id];
    const isOneWay = this.ordered.every(({ descending }) => descending === this.ordered[0].descending);
    if (isOneWay) return `AND (${columns.join(', ')}) ${this.sideOf(0)} (${values.join(', ')})`;
    return `AND ${columns.reduceRight((rest, column, index) => {
      const isAfter = `${column} ${this.sideOf(index)} ${values[index]}`;
      return rest === '' ? isAfter : `(${isAfter} OR (${column} = ${values[index]} AND ${rest}))`;
    }, '')}`;
  }

  private bound({ keys, id }: Position): { keys: string[]; id: string } {
    const { bind } = this.statement;
    return { keys: keys.map((key, index) => `${bind(key)}::${this.ordered[index].type}`), id: bind(id) };
  }

  private directionOf(index: number): 'DESC' | 'ASC' {
    return this.ordered[index].descending ? 'DESC' : 'ASC';
  }

  /** The id has the direction of the last key. */
  private sideOf(index: number): '<' | '>' {
    return this.ordered[Math.min(index, this.ordered.length - 1)].descending ? '<' : '>';
  }
}

function sortOf(definition: ListDefinition, request: ListRequest, { name }: SortKey, statement: Statement): Sort {
  if (name !== 'relevance') return definition.sorts[name];
  const { relevance } = definition.search ?? {};
  if (relevance === undefined || request.searchQuery === undefined) throw new Error('sort=relevance requires search');
  return { sql: `(${relevance.rank(request.searchQuery, statement)})::double precision`, type: 'double precision' };
}

const LAST: Record<Sort['type'], { ascending: string; descending: string }> = {
  timestamptz: { ascending: "'infinity'::timestamptz", descending: "'-infinity'::timestamptz" },
  date: { ascending: "'infinity'::date", descending: "'-infinity'::date" },
  text: { ascending: "U&'\\+10FFFD'", descending: "''" },
  integer: { ascending: '2147483647', descending: '-2147483648' },
  'double precision': { ascending: "'infinity'::double precision", descending: "'-infinity'::double precision" },
};

/** A sort key that replaces missing values by one that sorts last. */
function withoutGaps(sort: Sort, descending: boolean): OrderKey {
  if (sort.nullable !== true) return { ...sort, descending };
  const last = LAST[sort.type][descending ? 'descending' : 'ascending'];
  return { ...sort, sql: `coalesce(${sort.sql}, ${last})`, descending };
}
