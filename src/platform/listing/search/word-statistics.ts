import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KnownWord } from './search-query.js';

/** The words of a text as an index knows them, and the number of rows of its table. */
export interface TextStatistics {
  rows: number;
  words: KnownWord[];
}

/** How many of the rows of a table contain a word. */
interface WordShares {
  of: ReadonlyMap<string, number>;
  /** For words that the statistics do not contain: rarer than those that they do. */
  unknown: number;
}

interface KeptShares extends WordShares {
  version: string;
  readAt: number;
}

interface TextRow {
  rows: number;
  version: string;
  words: string[];
}

/** Bounds how long old statistics stay if they were read in a snapshot from before the analysis that their version names. */
const MAX_AGE_MS = 600_000;

/**
 * Word frequencies from the statistics of PostgreSQL. They are kept until the next analysis of the table, because to read
 * them takes longer than all else that prepares a search. The schema is named, because that of restricted requests has views
 * of the same names, which have no statistics.
 */
@Injectable()
export class WordStatistics {
  private readonly kept = new Map<string, KeptShares>();

  constructor(private readonly database: Database) {}

  async ofText(table: string, text: string): Promise<TextStatistics> {
    const row = await this.database.one<TextRow>(
      `SELECT greatest(c.reltuples, 0)::float8 AS rows,
         concat_ws(' ', pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) AS version,
         tsvector_to_array(to_tsvector('english', search_cut(folded.text))) || search_pairs(folded.text) AS words
       FROM (SELECT fold_text($2) AS text OFFSET 0) folded, pg_class c WHERE c.oid = ('public.' || $1)::regclass`,
      [table, text],
    );
    if (row === undefined) throw new Error('the statistics statement returned no row');
    const shares = await this.sharesOf(table, row.version);
    return {
      rows: row.rows,
      words: row.words.map((word) => ({ word, share: shares.of.get(word) ?? shares.unknown })),
    };
  }

  private async sharesOf(table: string, version: string): Promise<WordShares> {
    const kept = this.kept.get(table);
    if (kept?.version === version && performance.now() - kept.readAt < MAX_AGE_MS) return kept;
    const read = { ...(await this.read(table)), version, readAt: performance.now() };
    this.kept.set(table, read);
    return read;
  }

  /** The frequencies have two more elements than the words; the first of these is the frequency of the rarest word. */
  private async read(table: string): Promise<WordShares> {
    const row = await this.database.one<{ words: string[] | null; shares: number[] | null }>(
      `SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs AS shares FROM pg_stats
       WHERE schemaname = 'public' AND tablename = $1 AND attname = 'words'`,
      [table],
    );
    const words = row?.words ?? [];
    const shares = row?.shares ?? [];
    return { of: new Map(words.map((word, at) => [word, shares[at]])), unknown: (shares[words.length] ?? 0) / 2 };
  }
}
