import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';
import { ListStreams } from './list-streams.js';
import { PageReader } from './page-reader.js';
import { Relevance } from './search/relevance.js';
import { SavedLists } from './saved-lists.js';
import { Searchables } from './search/searchables.js';
import { WordStatistics } from './search/word-statistics.js';

/** Provides the reading of lists, and the registries of lists that can be searched together and whose queries can be saved. */
@Global()
@Module({
  providers: [Listing, ListStreams, PageReader, Relevance, SavedLists, Searchables, WordStatistics],
  exports: [Listing, SavedLists, Searchables],
})
export class ListingModule {}
