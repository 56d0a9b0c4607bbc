import { Injectable } from '@nestjs/common';
import { likelyQuery, searchPartsOf, weigh, type SearchQuery } from './search-query.js';
import { WordStatistics } from './word-statistics.js';

/** Prepares searches by relevance with the word frequencies from the statistics of the table. */
@Injectable()
export class Relevance {
  constructor(private readonly statistics: WordStatistics) {}

  async prepareQuery(table: string, text: string): Promise<SearchQuery> {
    const { strict, hasPhrase, plain } = searchPartsOf(text);
    const { rows, words } = await this.statistics.ofText(table, plain);
    return { text, strict, ...(hasPhrase ? { likely: '' } : likelyQuery(words, rows)), words: weigh(words) };
  }
}
