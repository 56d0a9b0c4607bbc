import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import type { Page } from '../../platform/http/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/query-parameters.js';
import { auditList } from './audit.list.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Operation('audit_list', {
    summary: 'List security-relevant acts',
    description:
      'Who did what, newest first: to administrators everything, to owners what was done in their organizations. With ' +
      'mine=true, for everybody, what they did and what was done to their account. Refusals of one caller and operation ' +
      'are counted together: the first of a minute stands alone, count says how many came behind it.',
    list: auditList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.audit.page(me, query);
  }
}
