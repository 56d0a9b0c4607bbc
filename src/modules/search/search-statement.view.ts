import type { Caller } from '../../access/authentication/caller.js';
import { keyOfEntity } from '../../access/references/work-keys.view.js';
import { inArchived } from '../../access/visibility/containers.js';
import { isId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import { escapeLike, isLongerThan } from '../../common/texts/text.js';
import type { ListDefinition, ListRequest } from '../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../platform/listing/list-condition.js';
import type { Searchable } from '../../platform/listing/search/searchables.js';
import { MAX_RANKED } from './search.rules.js';
import type { SearchPlan } from './search-plan.js';
import { SearchSource, type SearchScope } from './search-source.view.js';
import {
  anyOf,
  matchPrefixesOf,
  queryOf,
  termPartsOf,
  termPatternsOf,
  wantedOf,
  wholeQuery,
  type Alternative,
} from './search-terms.js';

/** A validated search; its terms contain the words as the database stores them. */
export interface SearchInput extends SearchScope {
  alternatives: readonly Alternative[];
  /** The whole text, which titles may contain. */
  text: string;
  /** The whole text if it is an id. */
  id?: string;
  /** The tasks and demands to which the whole text leads, if it is a key. */
  keyed: readonly string[];
  limit: number;
  offset: number;
  /** The score, time of creation and id after which the page begins. */
  after?: readonly [string, string, string];
}

/** A searchable type with its plan. */
export interface PlannedSearchable {
  searchable: Searchable;
  plan: SearchPlan;
}

/** The score of a row whose key is the text; those of others are at most two. */
const KEY_SCORE = 3;

/** The normalization of ts_rank that scales ranks to less than 1, so that they never outweigh a match in the title. */
const BELOW_ONE = 32;

/** The distance of the excerpt's start from its match, and its length before it is cut at words. */
const LEAD = 80;
const LENGTH = 320;
const LONGEST_READ = 50_000;

/** SQL: whether the container is archived, for lists without their own condition. */
const IN_ARCHIVED = inArchived({ endeavour: 'placed.endeavour_id', organization: 'placed.organization_id' });

/**
 * Builds the statement of a search: the newest visible matches of each type get a score, and the best of all types are
 * returned. The work for each type is bounded.
 */
export class SearchStatement {
  private readonly p = new ListStatement(this.me);
  private readonly sources = new SearchSource(this.me, this.search, this.p);
  private readonly terms = wantedOf(this.search.alternatives);

  constructor(
    private readonly me: Caller,
    private readonly search: SearchInput,
    private readonly planned: readonly PlannedSearchable[],
  ) {}

  get values(): unknown[] {
    return this.p.values;
  }

  text(): string {
    const { limit, offset } = this.search;
    const found = this.planned.map(({ searchable, plan }) => `(${this.matches(searchable, plan)})`);
    const keyed = this.planned.flatMap(({ searchable }) => this.keyed(searchable));
    const scored = `SELECT type, id, created_at, ${this.score()} AS score FROM (${found.join('\nUNION ALL\n')}) found`;
    return `
WITH hits AS MATERIALIZED (${[scored, ...keyed].join('\nUNION ALL\n')}),
page AS MATERIALIZED (SELECT * FROM hits WHERE ${this.afterCursor()}
  ORDER BY score DESC, created_at DESC, id DESC LIMIT ${this.bind(limit + 1, 'integer')} OFFSET ${this.bind(offset, 'integer')})
SELECT counted.total, page.type, page.id, ${keyOfEntity('placed').sql} AS key, placed.title, placed.endeavour_id, endeavour.title AS endeavour_name, page.score,
  ARRAY[page.score::text, page.created_at::text, page.id] AS position, around.*
FROM (SELECT CASE WHEN ${this.isPartial} OR bool_or(count > ${MAX_RANKED}) THEN NULL ELSE coalesce(sum(count), 0)::integer END AS total
    FROM (SELECT count(*) FROM hits GROUP BY type) of_types) counted
  LEFT JOIN page ON true
  LEFT JOIN entities placed ON placed.id = page.id
  LEFT JOIN entities endeavour ON endeavour.id = placed.endeavour_id
  LEFT JOIN LATERAL (SELECT left(normalize(coalesce(${this.textOfRow()}, ''), NFC), ${LONGEST_READ}) AS text OFFSET 0) said ON true
  LEFT JOIN LATERAL (${this.excerpt()}) around ON true
ORDER BY page.score DESC, page.created_at DESC, page.id DESC`;
  }

  private bind(value: unknown, type: string): string {
    return `${this.p.bind(value)}::${type}`;
  }

  private hasAll(alias: string): string {
    return `${alias}.words @@ ${this.bind(wholeQuery(this.search.alternatives), 'tsquery')}`;
  }

  private afterCursor(): string {
    const { after } = this.search;
    if (after === undefined) return 'true';
    const [score, createdAt, id] = after;
    return `(score, created_at, id) < (${this.bind(score, 'float8')}, ${this.bind(createdAt, 'timestamptz')}, ${this.bind(id, 'text')})`;
  }

  /** Whether there may be matches among rows that are not examined. */
  private get isPartial(): boolean {
    const isIncomplete = ({ searchable: { list, isOwn }, plan }: PlannedSearchable): boolean =>
      plan.by === 'newest' && isOwn !== true && this.sources.omitsRows(list);
    return this.search.id === undefined && this.planned.some(isIncomplete);
  }

  /** The newest matches of one type; only these get a score, because its cost is per row. */
  private matches(searchable: Searchable, plan: SearchPlan): string {
    const { list, name } = searchable;
    const { alias, kind } = list.view;
    return `SELECT '${kind}'::text AS type, ${alias}.id, ${alias}.created_at, ${alias}.words, ${name} AS name
      FROM (SELECT ${alias}.* FROM ${this.source(searchable, plan)} ${list.joins ?? ''}
        JOIN entities placed ON placed.id = ${alias}.id
        WHERE ${this.conditions(list)} AND ${this.match(searchable, plan)} ${this.isOther(list)}
        ORDER BY ${alias}.created_at DESC, ${alias}.id DESC LIMIT ${MAX_RANKED + 1}) ${alias}`;
  }

  /** The entities of the type that have the text as their key. */
  private keyed({ list }: Searchable): string[] {
    const { alias, kind, table } = list.view;
    if (this.keyedOf(kind).length === 0) return [];
    return [
      `SELECT '${kind}'::text AS type, ${alias}.id, ${alias}.created_at, ${KEY_SCORE}::float8 AS score
      FROM ${table} ${alias} ${list.joins ?? ''} JOIN entities placed ON placed.id = ${alias}.id
      WHERE ${this.conditions(list)} AND ${alias}.id = ANY(${this.bind(this.keyedOf(kind), 'text[]')})`,
    ];
  }

  private isOther({ view: { alias, kind } }: ListDefinition): string {
    const keyed = this.keyedOf(kind);
    return keyed.length === 0 ? '' : `AND ${alias}.id <> ALL(${this.bind(keyed, 'text[]')})`;
  }

  private keyedOf(kind: Kind): string[] {
    return this.search.keyed.filter((id) => isId(kind, id));
  }

  private match(searchable: Searchable, plan: SearchPlan): string {
    const { list, isOwn } = searchable;
    const { alias } = list.view;
    if (this.search.id !== undefined) return `${alias}.id = ${this.bind(this.search.id, 'text')}`;
    // Rechecking the words of a row is expensive, and unnecessary if the index was used for all of them.
    const isCheckedByIndex = plan.by === 'index' && isOwn !== true && plan.isWhole;
    return isCheckedByIndex ? 'true' : this.orInTitle(searchable, this.hasAll(alias));
  }

  /** Or a title that contains the whole text, as in the lists of these types; shorter texts cannot be looked up. */
  private orInTitle({ name, hasTitleIndex }: Searchable, condition: string): string {
    const { text } = this.search;
    if (hasTitleIndex !== true || !isLongerThan(text, 2)) return condition;
    return `(${condition} OR ${name} ILIKE ${this.bind(`%${escapeLike(text)}%`, 'text')})`;
  }

  /** The score of a found row. It stands once for all types, because the database plans each occurrence. */
  private score(): string {
    const title = `' ' || search_cut(folded.name) || ' ' || folded.name`;
    const parts = this.bind(termPartsOf(this.terms), 'text[]');
    const patterns = this.bind(termPatternsOf(this.terms), 'text[]');
    // Most names lack a word, and cutting a name costs more than folding it, which OFFSET makes happen once.
    const isInTitle = `(SELECT CASE WHEN folded.name LIKE ALL(${parts}) THEN ${title} LIKE ALL(${patterns}) END
      FROM (SELECT fold_text(coalesce(found.name, '')) AS name OFFSET 0) folded)`;
    const any = this.bind(anyOf(this.terms.map(queryOf)), 'tsquery');
    return `round((ts_rank('{0.1,0.2,0.4,1}', found.words, ${any}, ${BELOW_ONE})
      + CASE WHEN ${isInTitle} THEN 1 ELSE 0 END)::numeric, 4)::float8`;
  }

  /** The rows of one type that are searched, under the alias of its view. */
  private source(searchable: Searchable, plan: SearchPlan): string {
    const { list, isOwn } = searchable;
    const { table, alias } = list.view;
    if (this.search.id !== undefined || isOwn === true) return `${table} ${alias}`;
    if (plan.by === 'all') return this.sources.all(list);
    if (plan.by === 'newest') return this.sources.newest(list);
    const found = this.orInTitle(searchable, `${alias}.words @@ ${this.bind(plan.query, 'tsquery')}`);
    return this.sources.matching(list, found);
  }

  /** The condition that the row is in scope and visible to the caller by the rules of its list. */
  private conditions(list: ListDefinition): string {
    const { endeavourIds, archived } = this.search;
    const filters = new Map<string, unknown>(
      list.partitions !== undefined && endeavourIds !== undefined ? [['endeavour_id', endeavourIds]] : [],
    );
    const request: ListRequest = { limit: 0, offset: 0, sort: [], count: false, mine: false, archived, filters };
    const scope = list.partitions === undefined ? () => list.scope?.(this.p) ?? 'false' : undefined;
    const conditions = [
      // The row in `placed` shows what a confined request may see.
      conditionOf({ ...list, defaultFilters: {}, isUnplaced: true }, request, this.me, this.p, scope),
      'placed.deleted_at IS NULL',
      list.isArchived === undefined && archived !== 'any' && `${archived === 'true' ? '' : 'NOT '}${IN_ARCHIVED}`,
      endeavourIds !== undefined && `placed.endeavour_id = ANY(${this.endeavours()})`,
    ];
    return conditions.filter((condition) => condition !== false).join(' AND ');
  }

  private endeavours(): string {
    return this.bind(this.search.endeavourIds, 'text[]');
  }

  /** The text of the row. */
  private textOfRow(): string {
    const cases = this.planned.map(({ searchable: { list, text } }) => {
      const { table, alias, kind } = list.view;
      return `WHEN '${kind}' THEN (SELECT ${text} FROM ${table} ${alias} WHERE ${alias}.id = page.id)`;
    });
    return `CASE page.type ${cases.join(' ')} END`;
  }

  /** The excerpt around the first match; null if the text has no match. OFFSET makes the text be read and folded once. */
  private excerpt(): string {
    const prefixes = this.bind(matchPrefixesOf(this.terms), 'text[]');
    return `
      SELECT substring(said.text FROM part.begin FOR ${LENGTH}) AS text, part.begin > 1 AS "isCutBefore",
        char_length(said.text) >= part.begin + ${LENGTH} AS "isCutAfter"
      FROM (SELECT greatest(1, first.at - ${LEAD}) AS begin
        FROM (SELECT coalesce(min(nullif(strpos(flat.text, one.prefix), 0)), min(nullif(strpos(flat.text, ltrim(one.prefix)), 0))) AS at
        FROM (SELECT ' ' || regexp_replace(fold_text(said.text), '[^[:alnum:]]', ' ', 'g') AS text OFFSET 0) flat,
          unnest(${prefixes}) AS one (prefix)) first WHERE first.at IS NOT NULL) part`;
  }
}
