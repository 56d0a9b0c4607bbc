import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, listed } from '../../platform/http/openapi/schemas.js';
import { hitSchema, SEARCH_PARAMETERS } from './search-request.js';
import { MAX_RANKED, MAX_SCANNED } from './search.rules.js';
import { SearchService } from './search.service.js';

@ApiTags('Search')
@Controller('search')
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get()
  @Operation('search_list', {
    summary: 'Search everything',
    description:
      'Searches all entities that are visible to you and returns the best matches first: matches in the title before ' +
      `matches in the text. Of each type, the newest ${MAX_RANKED} matches are ranked. If a type has too many entities ` +
      `to look up common words, only its newest ${MAX_SCANNED.toLocaleString('en')} entities are searched; another ` +
      'word, a type or an endeavour narrows the search. In both cases, meta.total is null.',
    query: SEARCH_PARAMETERS,
    document: listed(component('SearchHit', hitSchema())),
    tagged: true,
    readsStandby: true,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.search.page(me, query);
  }
}
