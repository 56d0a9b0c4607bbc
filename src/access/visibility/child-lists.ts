import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { ListDefinition, Statement } from '../../platform/listing/definition.js';
import { Listing } from '../../platform/listing/listing.js';
import { Access } from '../access.js';
import type { Caller } from '../authentication/caller.js';

/** Lists the children of the entity in the path; checks the parameters first, then that the entity is visible. */
@Injectable()
export class ChildLists {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
  ) {}

  /** `belongs` returns the SQL condition that selects the children, given the placeholder of the entity's id. */
  async page(
    me: Caller,
    id: string,
    query: RawQuery,
    { list, belongs }: { list: ListDefinition; belongs: (id: string) => string },
  ): Promise<Page> {
    const request = this.listing.read(list, query);
    if ((await this.access.find(me, id)) === undefined) throw notFound();
    return this.listing.pageOf(me, { ...list, baseCondition: ({ bind }: Statement) => belongs(bind(id)) }, request);
  }
}
