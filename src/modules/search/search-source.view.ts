import type { Caller } from '../../access/authentication/caller.js';
import type { Archived, ListDefinition, Partitions } from '../../platform/listing/definition.js';
import type { ListStatement } from '../../platform/listing/list-condition.js';
import { MAX_SCANNED } from './search.rules.js';

/** The scope of a search. */
export interface SearchScope {
  endeavourIds?: readonly string[];
  archived: Archived;
}

/** The minimum number of rows that are searched in each container. */
const MIN_OF_CONTAINER = 10;

const newestFirst = (alias: string): string => `ORDER BY ${alias}.created_at DESC, ${alias}.id DESC`;

/** Builds the SQL for the rows of one table that a search examines, under the alias of its view. */
export class SearchSource {
  constructor(
    private readonly me: Caller,
    private readonly scope: SearchScope,
    private readonly p: ListStatement,
  ) {}

  /** The rows that match the condition; for an administrator without a scope, only the newest of them. */
  matching({ view: { table, alias } }: ListDefinition, condition: string): string {
    const isEverywhere = this.me.isAdmin && this.scope.endeavourIds === undefined;
    // OFFSET 0 prevents PostgreSQL from checking the words in each row of a container.
    const end = isEverywhere ? `${newestFirst(alias)} LIMIT ${MAX_SCANNED}` : 'OFFSET 0';
    return `(SELECT ${alias}.* FROM ${table} ${alias} WHERE ${condition} ${end}) ${alias}`;
  }

  /** All rows in the containers of the search, or with ids that the caller can see; conditions filter them. */
  all(list: ListDefinition): string {
    const { table, alias } = list.view;
    const own = this.limitOf(list);
    return own === undefined
      ? `${table} ${alias}`
      : `(SELECT ${alias}.* FROM ${table} ${alias} WHERE ${own.column} = ANY(ARRAY(${own.values})) OFFSET 0) ${alias}`;
  }

  /** Whether there are few such rows; undefined if they cannot be counted. */
  isFew(list: ListDefinition): string | undefined {
    const { table, alias } = list.view;
    const own = this.limitOf(list);
    if (own === undefined) return undefined;
    const rows = own.isId
      ? `SELECT 1 FROM (${own.values}) own`
      : `SELECT 1 FROM ${table} ${alias} WHERE ${own.column} = ANY(ARRAY(${own.values}))`;
    return `SELECT '${table}' AS name, count(*) <= ${MAX_SCANNED} AS few FROM (${rows} LIMIT ${MAX_SCANNED + 1}) seen`;
  }

  /** The newest rows: equally many of each container, or of the rows with visible ids. */
  newest(list: ListDefinition): string {
    const { table, alias } = list.view;
    const rows = `SELECT ${alias}.* FROM ${table} ${alias}`;
    const own = this.limitOf(list);
    if (own === undefined)
      return this.omitsRows(list)
        ? `(${rows} ${newestFirst(alias)} LIMIT ${MAX_SCANNED}) ${alias}`
        : `${table} ${alias}`;
    if (own.isId)
      return `(${rows} WHERE ${own.column} IN (SELECT own.id FROM (${own.values}) AS own (id) LIMIT ${MAX_SCANNED})) ${alias}`;
    return `(WITH containers AS MATERIALIZED (SELECT DISTINCT container.id FROM (${own.values}) AS container (id))
      SELECT newest.* FROM containers CROSS JOIN LATERAL (${rows} WHERE ${own.column} = containers.id ${newestFirst(alias)}
        LIMIT (SELECT greatest(${MIN_OF_CONTAINER}, ${MAX_SCANNED} / greatest(count(*), 1)) FROM containers)) newest) ${alias}`;
  }

  /** Whether `newest` omits rows; other lists have a separate condition. */
  omitsRows({ partitions, candidateIds }: ListDefinition): boolean {
    return this.me.isAdmin || (partitions ?? candidateIds ?? this.scope.endeavourIds) !== undefined;
  }

  /** The column that limits the visible rows and its values; undefined if the caller sees all rows. */
  private limitOf(list: ListDefinition): { column: string; values: string; isId: boolean } | undefined {
    const { partitions, candidateIds, view } = list;
    const containers = this.containers(partitions);
    if (containers !== undefined && partitions !== undefined)
      return { column: partitions.column, values: containers, isId: false };
    const ids = this.idsInScope(view.kind) ?? (this.me.isAdmin ? undefined : candidateIds?.ids(this.p.me));
    return ids === undefined ? undefined : { column: `${view.alias}.id`, values: ids, isId: true };
  }

  /** The ids of the endeavours in scope; undefined if all are. */
  private containers(partitions: Partitions | undefined): string | undefined {
    if (partitions === undefined) return undefined;
    const { endeavourIds, archived } = this.scope;
    const requested = endeavourIds === undefined ? undefined : this.endeavours();
    if (this.me.isAdmin) return requested === undefined ? undefined : `SELECT unnest(${requested})`;
    const own = partitions.of(this.p.me, archived);
    return requested === undefined ? own : `SELECT own.id FROM (${own}) AS own (id) WHERE own.id = ANY(${requested})`;
  }

  private idsInScope(kind: string): string | undefined {
    if (this.scope.endeavourIds === undefined) return undefined;
    return `SELECT x.id FROM entities x WHERE x.kind = '${kind}' AND x.endeavour_id = ANY(${this.endeavours()})`;
  }

  private endeavours(): string {
    return `${this.p.bind(this.scope.endeavourIds)}::text[]`;
  }
}
