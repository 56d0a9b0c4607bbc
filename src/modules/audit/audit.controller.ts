import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { auditList } from './audit.list.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Operation('audit_list', {
    summary: 'List security-relevant actions',
    description:
      'Returns security-relevant actions, newest first. Administrators see all entries, and owners see the entries of their ' +
      'organizations. With mine=true, returns your own acts and the acts that concern your account. Rejected requests of ' +
      'the same user and operation are combined: the first one in a minute has an entry of its own, and the others share ' +
      'one entry with their count.',
    list: auditList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.audit.page(me, query);
  }
}
