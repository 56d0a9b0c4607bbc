import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';
import { ListStreams } from './list-streams.js';
import { PageReader } from './page-reader.js';
import { Relevance } from './relevance.js';
import { Searchables } from './searchables.js';

/** Hands out the reader of lists, and what takes note of all that can be searched. */
@Global()
@Module({ providers: [Listing, ListStreams, PageReader, Relevance, Searchables], exports: [Listing, Searchables] })
export class ListingModule {}
