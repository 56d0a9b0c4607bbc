import type { ListFormat } from '../http/list-format.js';
import type { FieldCode } from '../../common/errors.js';
import type { FieldNames, JsonSchema, View } from '../database/view.js';
import type { Position } from './cursor.js';
import type { SearchQuery } from './search-query.js';

/** Builds one statement: binds values and knows how the asking user is called in it. */
export interface Statement {
  /** The asking user's id, as a placeholder. */
  readonly me: string;
  /** The asking user's resource, as a placeholder. */
  myResource(): string;
  bind: (value: unknown) => string;
}

/** What a query parameter turned out to be, or what is wrong with it. */
export type Parsed = { value: unknown } | { code: FieldCode; message: string; allowed?: readonly string[] };

/** One query parameter of a list. */
export interface Filter {
  schema: JsonSchema;
  description: string;
  parse(raw: string): Parsed;
  /** Changes what is answered, which generators cannot type: the operation's description tells of it. */
  isUntyped?: true;
  /** An empty value means yes; of other parameters it means that they are absent. */
  isFlag?: true;
  /** The SQL condition for a parsed value; undefined where the parameter changes something else than the rows. */
  where?(value: never, statement: Statement): string;
}

/** A key that a list can be sorted by. */
export interface Sort {
  sql: string;
  /** The PostgreSQL type of the key, for comparing with a cursor. */
  type: 'timestamptz' | 'text' | 'integer' | 'double precision';
  /** Rows without a value come last in both directions. */
  nullable?: boolean;
}

/** How a list is searched. */
export interface Search {
  where(text: string, statement: Statement): string;
  /** For `sort=relevance`, where there is such a thing: a wider condition, and the rank that puts the best first. */
  relevance?: {
    /** The table whose statistics say how rare words are. */
    table: string;
    where(wanted: SearchQuery, statement: Statement): string;
    rank(wanted: SearchQuery, statement: Statement): string;
  };
}

/** Which rows a list has by their container: those of living ones, those of archived ones, or those of any. */
export const ARCHIVED_VALUES = ['false', 'true', 'any'] as const;
export type Archived = (typeof ARCHIVED_VALUES)[number];

/**
 * The containers whose rows a caller may see: the column that names them, and SQL for the set, of which only archived
 * ones, the others or all count. An index has the rows of each by `created_at` and id, so that the newest of all are found
 * by taking the newest of each.
 */
export interface Partitions {
  column: string;
  of(me: string, archived: Archived): string;
}

/**
 * SQL for ids among which all are that the scope allows. They are asked for first, unless one of the named filters leaves
 * fewer rows anyway.
 */
export interface CandidateIds {
  ids(me: string): string;
  unless: string[];
}

/** What an area declares of its list; page, cursor, total and order by id are done once, in `Listing`. */
export interface ListDefinition {
  view: View;
  /** Its rows have no rows in `entities`, although others of the view's kind have; what the scope names has. */
  isUnplaced?: true;
  /** Joins that conditions need, beside those of the view. */
  joins?: string;
  /** The rows that callers other than administrators may see, as a condition; none without it, unless there are lanes. */
  scope?(statement: Statement): string;
  /** Instead of a scope that is a set of containers; `endeavour_id` filters by the same column. */
  partitions?: Partitions;
  /** Where it costs to find out of each row whether it is in the scope, and the scope is not a set of containers. */
  candidateIds?: CandidateIds;
  /** A condition that always holds, for administrators too: soft-deleted rows stay away, or all but those of one container. */
  baseCondition?: string | ((statement: Statement) => string);
  /** Whether the container of a row is archived, as a condition: such rows are left out unless `archived` asks for them. */
  isArchived?: string;
  /** Conditions that hold unless the filter of that name is used: archived rows stay away unless asked for. */
  defaultFilters?: Record<string, string>;
  filters: Record<string, Filter>;
  sorts: Record<string, Sort>;
  defaultSort?: string;
  /** Where `search` looks. */
  search?: Search;
  /** An operation that answers with something else about what is listed: it has no pages and no order. */
  hasNoPages?: true;
}

/** One key of the order that a request asks for. */
export interface SortKey {
  name: string;
  descending: boolean;
}

/** A validated list request. */
export interface ListRequest {
  limit: number;
  offset: number;
  cursor?: Position;
  /** The keys by weight, at least one; the id comes behind them, in the direction of the last. */
  sort: readonly SortKey[];
  /** The properties that come back; all where none are named. */
  fields?: FieldNames;
  count: boolean;
  /** Administrators see everything unless they ask for what is theirs. */
  mine: boolean;
  archived: Archived;
  search?: string;
  /** The search taken apart, where it is by relevance. */
  searchQuery?: SearchQuery;
  /** Whether the search is among few rows, which are looked through one by one. */
  scansVisibleRows?: boolean;
  filters: Map<string, unknown>;
  /** In which form all of it is sent; a page of JSON where there is none. */
  format?: ListFormat;
}
