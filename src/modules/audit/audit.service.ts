import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { auditList, ownAuditList } from './audit.list.js';

/** Lists audit entries. */
@Injectable()
export class AuditService {
  constructor(private readonly listing: Listing) {}

  page(me: Caller, query: RawQuery): Promise<Page> {
    const request = this.listing.read(auditList, query);
    return this.listing.pageOf(me, request.mine ? ownAuditList : auditList, request);
  }
}
