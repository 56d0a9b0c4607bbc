import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';
import { ListStreams } from './list-streams.js';
import { PageReader } from './page-reader.js';
import { Relevance } from './relevance.js';
import { Searchables } from './searchables.js';
import { WordStatistics } from './word-statistics.js';

/** Provides the reading of lists, and the registry of searchable entities. */
@Global()
@Module({
  providers: [Listing, ListStreams, PageReader, Relevance, Searchables, WordStatistics],
  exports: [Listing, Searchables],
})
export class ListingModule {}
