import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Settings } from '../../platform/config/settings.js';
import { Database } from '../../platform/database/database.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { ListStatement } from '../../platform/listing/list-condition.js';
import { SearchSource, type SearchScope } from './search-source.view.js';
import type { TableStatistics } from './search-plan.js';
import { SearchStatement, type PlannedSearchable, type SearchInput } from './search-statement.view.js';
import type { SearchedWord, Term } from './search-terms.js';

/** The size up to which tables are searched by index for any words. */
const FEW_ROWS = 20_000;

/** The factor for words that are not in the statistics: about as many as the words in the statistics. */
const UNKNOWN_WORDS = 2;

/** A row of the search statement: a match, or a single row without a type if there are no matches. */
export interface MatchRow {
  total: number | null;
  type: string | null;
  id: string;
  key: string | null;
  title: string;
  endeavour_id: string | null;
  endeavour_name: string | null;
  score: number;
  /** The sort keys, and the id. */
  position: string[];
  /** The part of the text around the first match; null if the text has no match. */
  text: string | null;
  isCutBefore: boolean;
  isCutAfter: boolean;
}

/** Runs the statements of a search. */
@Injectable()
export class SearchRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Runs the work in one snapshot of the database. */
  inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.database.snapshot(this.settings.SEARCH_TIMEOUT_MS / 1_000, work);
  }

  /** The terms with their words as the index stores them, in the same order. */
  storedTerms(typed: readonly string[]): Promise<Term[]> {
    return this.database.query<Term>(
      `SELECT w.typed, coalesce((SELECT json_agg(json_build_object('word', token,
           'stems', tsvector_to_array(to_tsvector('english', token))) ORDER BY parsed.place)
         FROM ts_parse('default', search_cut(fold_text(w.typed))) WITH ORDINALITY AS parsed (type, token, place)
         WHERE parsed.type <> 12), '[]') AS words, search_pair_query(fold_text(w.typed))::text AS pairs
       FROM unnest($1::text[]) WITH ORDINALITY AS w (typed, place) ORDER BY w.place`,
      [typed],
    );
  }

  /**
   * For large tables: the share of rows that contain each word, by the statistics. A prefix has the sum of the shares
   * of its words, and an allowance for words that are not in the statistics.
   */
  statistics(tables: readonly string[], words: readonly SearchedWord[]): Promise<TableStatistics[]> {
    return this.database.query<TableStatistics>(
      `WITH large AS MATERIALIZED (
         SELECT t.name, c.reltuples::float8 AS rows FROM unnest($1::text[]) AS t (name)
           JOIN pg_class c ON c.oid = to_regclass('public.' || t.name) WHERE c.reltuples > ${FEW_ROWS}),
       known AS MATERIALIZED (
         SELECT s.tablename AS name, each.word, each.share FROM large JOIN pg_stats s ON s.tablename = large.name,
           unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS each (word, share)
         WHERE s.schemaname = 'public' AND s.attname = 'words' AND each.word IS NOT NULL)
       SELECT large.name AS "table", large.rows, ARRAY(
         SELECT ${UNKNOWN_WORDS} * coalesce((SELECT sum(known.share) FROM known WHERE known.name = large.name
             AND (starts_with(known.word, w.word) OR known.word = ANY(w.stems))), 0)
           + coalesce((SELECT min(known.share) FROM known WHERE known.name = large.name), 0)
             / CASE WHEN char_length(w.word) > 2 THEN ${UNKNOWN_WORDS} ELSE 1 END
         FROM json_to_recordset($2::json) AS w (place integer, word text, stems text[]) ORDER BY w.place)::float8[] AS shares
       FROM large`,
      [tables, JSON.stringify(words.map((word, place) => ({ ...word, place })))],
    );
  }

  /** The names of the tables in which the caller sees few rows within the scope. */
  async tablesWithFewRows(
    me: Caller,
    lists: readonly ListDefinition[],
    scope: SearchScope,
  ): Promise<ReadonlySet<string>> {
    const p = new ListStatement(me);
    const source = new SearchSource(me, scope, p);
    const counts = lists.map((list) => source.isFew(list)).filter((sql) => sql !== undefined);
    if (counts.length === 0) return new Set();
    const rows = await this.database.query<{ name: string; few: boolean }>(
      `SELECT * FROM (${counts.join(' UNION ALL ')}) counted WHERE ${p.anchor}`,
      p.values,
    );
    return new Set(rows.filter(({ few }) => few).map(({ name }) => name));
  }

  /** Renews the words of the next rows of an earlier release, in a transaction of its own; returns whether there may be more. */
  async renewWords(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT renew_search_words($1) AS more', [limit]);
    return row?.more === true;
  }

  /** A page of matches of the planned types, with one more row if there are further matches. */
  find(me: Caller, search: SearchInput, planned: readonly PlannedSearchable[]): Promise<MatchRow[]> {
    const statement = new SearchStatement(me, search, planned);
    return this.database.query<MatchRow>(statement.text(), statement.values);
  }
}
