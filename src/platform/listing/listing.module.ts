import { Global, Module } from '@nestjs/common';
import { Listing } from './listing.js';

/** Hands out the reader of lists. */
@Global()
@Module({ providers: [Listing], exports: [Listing] })
export class ListingModule {}
