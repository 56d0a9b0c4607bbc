import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { WorkKeysRepository } from '../../access/references/work-keys.repository.js';
import { invalidField } from '../../common/errors.js';
import { kindOf } from '../../common/ids.js';
import { isWorkKey } from '../../common/work-keys.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Page, jsonTexts } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { selectFields } from '../../platform/http/requests/selected-fields.js';
import { openCursor, positionOf, sealCursor } from '../../platform/listing/cursor.js';
import { Searchables, type Searchable } from '../../platform/listing/search/searchables.js';
import { excerptOf, markMatches } from './excerpt.js';
import { planOf } from './search-plan.js';
import { readSearchRequest, type SearchRequest } from './search-request.js';
import type { PlannedSearchable, SearchInput } from './search-statement.view.js';
import { matchPrefixesOf, meaningful, typedAlternatives, wantedOf, type Alternative } from './search-terms.js';
import { SearchRepository, type MatchRow } from './search.repository.js';

/** Searches all entities that the caller can see. */
@Injectable()
export class SearchService {
  private readonly cursorKey = this.secrets.keyFor('cursor');

  constructor(
    private readonly keys: WorkKeysRepository,
    private readonly repository: SearchRepository,
    private readonly searchables: Searchables,
    private readonly secrets: Secrets,
  ) {}

  async page(me: Caller, raw: RawQuery): Promise<Page> {
    const request = readSearchRequest(raw);
    const { q, limit, offset, archived, endeavourIds } = request;
    const after = this.after(request);
    const searchables = this.searchablesFor(request);
    if (searchables.length === 0) return pageOf(request, [], 0, null);
    return this.repository.inSnapshot(async () => {
      const alternatives = await this.alternativesOf(q);
      if (alternatives.length === 0) return pageOf(request, [], 0, null);
      const id = idIn(q);
      const keyed = isWorkKey(q) ? (await this.keys.find(me, [q], [])).map((found) => found.id) : [];
      const search: SearchInput = { alternatives, text: q, id, keyed, endeavourIds, archived, limit, offset, after };
      const rows = await this.repository.find(me, search, await this.plan(me, searchables, search));
      return this.pageOf(request, alternatives, rows);
    });
  }

  /** The registered types to search; if the text is an id, only the type of the id. */
  private searchablesFor({ q, types }: SearchRequest): readonly Searchable[] {
    const only = kindOf(idIn(q));
    return this.searchables.all.filter(({ list: { view } }) => {
      const isRequested = (types as readonly string[]).includes(view.kind);
      return isRequested && (only === undefined || only === view.kind);
    });
  }

  /** The search with its terms as the database stores them. */
  private async alternativesOf(text: string): Promise<readonly Alternative[]> {
    const typed = typedAlternatives(text);
    const terms = await this.repository.storedTerms(typed.flatMap(({ wanted, excluded }) => [...wanted, ...excluded]));
    const queue = terms.values();
    const take = (count: number) =>
      Array.from({ length: count }, () => queue.next().value).filter((t) => t !== undefined);
    return meaningful(
      typed.map(({ wanted, excluded }) => ({ wanted: take(wanted.length), excluded: take(excluded.length) })),
    );
  }

  private async plan(
    me: Caller,
    searchables: readonly Searchable[],
    search: SearchInput,
  ): Promise<PlannedSearchable[]> {
    const tables = searchables.map(({ list }) => list.view.table);
    const words = wantedOf(search.alternatives).flatMap((term) => term.words);
    const rows = await this.repository.statistics(tables, words);
    const statistics = new Map(rows.map((row) => [row.table, row]));
    const large = searchables.map(({ list }) => list).filter(({ view }) => statistics.has(view.table));
    const few = await this.repository.tablesWithFewRows(me, large, search);
    return searchables.map((searchable) => {
      const { table } = searchable.list.view;
      return {
        searchable,
        plan: planOf(search.alternatives, { statistics: statistics.get(table), isFew: few.has(table) }),
      };
    });
  }

  private pageOf(request: SearchRequest, alternatives: readonly Alternative[], rows: readonly MatchRow[]): Page {
    const { limit, count } = request;
    const matches = rows.filter(({ type }) => type !== null).slice(0, limit);
    const last = rows.length > limit ? matches.at(-1) : undefined;
    const next = last && sealCursor(this.cursorKey, nameOf(request), positionOf(last.position));
    const prefixes = matchPrefixesOf(wantedOf(alternatives)).map((prefix) => prefix.trim());
    const hits = matches.map((row) => hitOf(row, prefixes));
    return pageOf(request, hits, count ? (rows[0]?.total ?? null) : null, next ?? null);
  }

  private after(request: SearchRequest): SearchInput['after'] {
    if (request.cursor === undefined) return undefined;
    const position = openCursor(this.cursorKey, nameOf(request), request.cursor);
    if (position === undefined)
      throw invalidField('cursor', 'invalid_format', 'cursor does not belong to this search.');
    const [score, createdAt] = position.keys;
    return [String(score), String(createdAt), position.id];
  }
}

const idIn = (text: string): string | undefined => (kindOf(text) === undefined ? undefined : text);

/** The scope in which a cursor is valid: only the same search. */
const nameOf = ({ q, types, endeavourIds, archived }: SearchRequest): string =>
  `search ${JSON.stringify([q, types, endeavourIds, archived])}`;

const hitOf = ({ text, isCutBefore, isCutAfter, ...row }: MatchRow, prefixes: readonly string[]) => ({
  type: row.type,
  id: row.id,
  key: row.key,
  title: row.title,
  excerpt: text === null ? markMatches(row.title, prefixes) : excerptOf({ text, isCutBefore, isCutAfter }, prefixes),
  endeavour_id: row.endeavour_id,
  endeavour_name: row.endeavour_name,
  score: row.score,
});

function pageOf(
  { fields, limit, offset, count }: SearchRequest,
  hits: readonly object[],
  total: number | null,
  next_cursor: string | null,
): Page {
  const items = fields === undefined ? hits : hits.map((hit) => selectFields(hit, fields));
  return new Page(jsonTexts(items), { total: count ? total : null, limit, offset, next_cursor });
}
