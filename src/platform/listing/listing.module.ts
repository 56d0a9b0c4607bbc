import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';
import { ListStreams } from './list-streams.js';
import { PageReader } from './page-reader.js';
import { Relevance } from './relevance.js';

/** Hands out the reader of lists. */
@Global()
@Module({ providers: [Listing, ListStreams, PageReader, Relevance], exports: [Listing] })
export class ListingModule {}
