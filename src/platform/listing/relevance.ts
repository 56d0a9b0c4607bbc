import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { likelyQuery, searchPartsOf, weigh, type KnownWord, type SearchQuery } from './search-query.js';

interface Statistics {
  rows: number;
  /** The frequency of the least common word in the statistics, if any. */
  rarest: number | null;
  words: { word: string; share: number | null }[];
}

/** Prepares searches by relevance with the word frequencies from the statistics of the table. */
@Injectable()
export class Relevance {
  constructor(private readonly database: Database) {}

  /**
   * Looks up all words in one statement; words without statistics are rarer than the others. The schema is named,
   * because that of restricted requests has views of the same names, which have no statistics.
   */
  async prepareQuery(table: string, text: string): Promise<SearchQuery> {
    const { strict, hasPhrase, plain } = searchPartsOf(text);
    const { rows, rarest, words } = await this.statistics(table, plain);
    const known = words.map(({ word, share }): KnownWord => ({ word, share: share ?? (rarest ?? 0) / 2 }));
    const likely = hasPhrase ? '' : likelyQuery(known, rows);
    return { text, strict, likely, words: weigh(known) };
  }

  private async statistics(table: string, plain: string): Promise<Statistics> {
    const row = await this.database.one<Statistics>(
      `WITH known AS (
         SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs AS shares FROM pg_stats
         WHERE schemaname = 'public' AND tablename = $1 AND attname = 'words'
       ), shares AS (SELECT each.word, each.share FROM known, unnest(words, shares) AS each (word, share))
       SELECT (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = ('public.' || $1)::regclass) AS rows,
         (SELECT shares[cardinality(words) + 1] FROM known) AS rarest,
         coalesce((SELECT json_agg(json_build_object('word', w.word, 'share', s.share))
           FROM (SELECT fold_text($2) AS text) folded,
             unnest(tsvector_to_array(to_tsvector('english', search_cut(folded.text))) || search_pairs(folded.text)) AS w (word) LEFT JOIN shares s USING (word)), '[]') AS words`,
      [table, plain],
    );
    if (row === undefined) throw new Error('the statistics statement returned no row');
    return row;
  }
}
