import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';
import { Relevance } from './relevance.js';

/** Hands out the reader of lists. */
@Global()
@Module({ providers: [Listing, Relevance], exports: [Listing] })
export class ListingModule {}
