import type { JsonRecord } from '../../common/texts/json.js';
import type { Kind } from '../../common/kinds.js';
import type { ListFormat } from '../http/responses/list-format.js';
import type { Parsed } from '../http/requests/parsed.js';
import type { FieldNames, JsonSchema, View } from '../database/views/view.js';
import type { Position } from './cursor.js';
import type { SearchQuery } from './search/search-query.js';

/** Builds one statement: binds values and names the asking user. */
export interface Statement {
  /** The asking user's id, as a placeholder. */
  readonly me: string;
  /** The asking user's resource, as a placeholder. */
  myResource(): string;
  bind: (value: unknown) => string;
}

/** One query parameter of a list. */
export interface Filter {
  schema: JsonSchema;
  description: string;
  parse(raw: string): Parsed;
  /** Changes the form of the response, which generators cannot type; the operation's description documents it. */
  isUntyped?: true;
  /** The kinds of entities that it names by their ids, or the keys of those that have one. */
  kinds?: readonly Kind[];
  /** The flag that says what the parameter means, and filters no rows by itself. */
  modifier?: string;
  /** The parameters that an expression combines. */
  combines?: Record<string, Filter>;
  /** An empty value means yes; for other parameters it means absent. */
  isFlag?: true;
  /**
   * For parameters that compare a property: from a value on, or below it; `next` is the least value above another. If
   * `below` includes its value, `next` returns that and `strictly` excludes it.
   */
  range?: { of: string; side: 'from' | 'below'; next(value: never): unknown; strictly?(value: never): unknown };
  /** Moves what other parameters can say into the sent ones, and returns the rest of the value, if there is any. */
  spread?(value: never, sent: Map<string, unknown>): unknown;
  /** The SQL condition for a parsed value; undefined if the parameter does not filter rows. */
  where?(value: never, statement: Statement, request: Pick<ListRequest, 'filters'>): string;
}

/** A sort key of a list. */
export interface Sort {
  sql: string;
  /** The PostgreSQL type of the key, for comparison with a cursor. */
  type: 'timestamptz' | 'date' | 'text' | 'integer' | 'double precision';
  /** Rows without a value come last in both directions. */
  nullable?: boolean;
  /**
   * A table that is indexed by the key and the id, for lists in this order alone: its rows as `v` with the id of a row of
   * the list, and the key; rows of the list without one come last.
   */
  values?: { from: string; id: string; sql: string };
  /** What cursors are also signed with, if the key can have another type in another request. */
  signedAs?: string;
}

/** How a list is searched. */
export interface ListSearch {
  where(text: string, statement: Statement): string;
  /** For `sort=relevance`, if supported: a wider condition, and the rank. */
  relevance?: {
    /** The table whose statistics contain the frequency of words. */
    table: string;
    where(wanted: SearchQuery, statement: Statement): string;
    rank(wanted: SearchQuery, statement: Statement): string;
  };
}

/** Which rows a list contains by their container: only active, only archived, or both. */
export const ARCHIVED_VALUES = ['false', 'true', 'any'] as const;
export type Archived = (typeof ARCHIVED_VALUES)[number];

/**
 * The containers whose rows a caller can see: their column, and SQL for the set, limited to archived or active ones or
 * neither. An index has the rows of each by `created_at` and id, so the newest rows overall are among the newest of
 * each container.
 */
export interface Partitions {
  column: string;
  of(me: string, archived: Archived): string;
}

/** SQL for a superset of the visible ids. They are read first, unless one of the named filters leaves fewer rows. */
export interface CandidateIds {
  ids(me: string): string;
  unless: string[];
}

/** The declaration of a list by its feature; `Listing` implements pages, cursors, totals and the order by id. */
export interface ListDefinition {
  view: View;
  /** Whether the rows have no entity rows, although others of the kind do; `scope` decides who sees them. */
  isUnplaced?: true;
  /** Joins for conditions, besides those of the view. */
  joins?: string;
  /**
   * The condition for rows that callers other than administrators can see; if absent, none, unless there are
   * partitions.
   */
  scope?(statement: Statement): string;
  /** Instead of a scope that is a set of containers; `endeavour_id` filters by the same column. */
  partitions?: Partitions;
  /** For a scope that is expensive to check per row and is not a set of containers. */
  candidateIds?: CandidateIds;
  /** A condition that always applies, also for administrators, such as excluding deleted rows. */
  baseCondition?: string | ((statement: Statement) => string);
  /** Condition: whether the container of a row is archived. Such rows are excluded unless `archived` requests them. */
  isArchived?: string;
  /** Conditions that apply unless the filter of that name is used, such as excluding archived rows. */
  defaultFilters?: Record<string, string>;
  filters: Record<string, Filter>;
  sorts: Record<string, Sort>;
  defaultSort?: string;
  /** The columns that `search` uses. */
  search?: ListSearch;
  /** Whether `view` can name a saved query, whose conditions apply besides those of the request. */
  takesSavedQueries?: true;
  /** An operation with another response about the listed rows, without pages and order. */
  hasNoPages?: true;
  /** Further columns of CSV, by their names, from a row as JSON with all properties. */
  columns?: Record<string, (row: JsonRecord) => unknown>;
  /** The message about an unknown parameter, if it is not the usual one. */
  messageFor?(name: string): string | undefined;
}

/** One key of the requested order. */
export interface SortKey {
  name: string;
  descending: boolean;
}

/** A validated list request. */
export interface ListRequest {
  limit: number;
  offset: number;
  cursor?: Position;
  /** The keys by priority, at least one; the id follows in the direction of the last. */
  sort: readonly SortKey[];
  /** The returned properties; all by default. */
  fields?: FieldNames;
  /** Whether the total is only that of the rows up to the end of the page, because counting all would take long. */
  countsPage?: boolean;
  count: boolean;
  /** Administrators see everything unless they request their own. */
  mine: boolean;
  archived: Archived;
  search?: string;
  /** The parsed search, if sorted by relevance. */
  searchQuery?: SearchQuery;
  /** Whether the search scans the visible rows, because there are few. */
  scansVisibleRows?: boolean;
  /** Whether the total of a search is exact, however many rows match. */
  countsAll?: boolean;
  filters: Map<string, unknown>;
  /** The format of a complete list; a page of JSON by default. */
  format?: ListFormat;
}
