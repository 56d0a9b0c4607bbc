import { Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { SearchRenewalService } from './search-renewal.service.js';
import { SearchRepository } from './search.repository.js';
import { SearchService } from './search.service.js';

/** The search across all types. */
@Module({ controllers: [SearchController], providers: [SearchRenewalService, SearchRepository, SearchService] })
export class SearchModule {}
