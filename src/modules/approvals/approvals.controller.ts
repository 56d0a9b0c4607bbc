import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { CreateApprovalDto, DismissApprovalDto } from './approval.dto.js';
import { approvalList } from './approval.list.js';
import { approvalView } from './approval.view.js';
import { ApprovalsService } from './approvals.service.js';

const representation = Object.keys(approvalView.fields);

@ApiTags('Approvals')
@Controller('approvals')
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Get()
  @Operation('approvals_list', { summary: 'List approvals', description: 'Newest first.', list: approvalList })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.approvals.list(me, query);
  }

  @TransactionalPost()
  @Operation('approvals_create', {
    summary: 'Create approval',
    description:
      'Approvals cannot be changed or deleted. A newer approval of the same approver in the same role replaces ' +
      'the older one as `current`; an approval becomes `stale` when the approved entity changes; an admin can ' +
      'dismiss a rejection. You can name any role; `role_held` says whether you hold it.',
    status: 201,
    body: CreateApprovalDto,
    response: approvalView,
    refuses: ['archived', 'conflict', 'precondition_failed'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateApprovalDto, { representation })) dto: CreateApprovalDto,
  ): Promise<Representation> {
    return this.approvals.create(me, dto);
  }

  @Get(':id')
  @Operation('approvals_get', { summary: 'Get approval', path: { id: 'approval' }, resource: approvalView })
  get(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('approval')) id: string,
    @Fields(approvalView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.approvals.get(me, id, fields);
  }

  @TransactionalPost(':id/dismiss')
  @Operation('approvals_dismiss', {
    summary: 'Dismiss a rejection',
    description:
      'A dismissed rejection no longer blocks the entity. Checks of the Definition of Done name the person who ' +
      'dismissed it.',
    path: { id: 'approval' },
    body: DismissApprovalDto,
    response: approvalView,
    refuses: ['archived', 'conflict', 'forbidden'],
  })
  dismiss(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('approval')) id: string,
    @Body(bodies.CreateBody(DismissApprovalDto)) dto: DismissApprovalDto,
  ): Promise<Representation> {
    return this.approvals.dismiss(me, id, dto);
  }
}
