import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { RequestReviewDto } from './review-request.dto.js';
import { ReviewRequestsService } from './review-requests.service.js';

@ApiTags('Tasks')
@Controller('tasks/:id')
export class ReviewRequestsController {
  constructor(private readonly requests: ReviewRequestsService) {}

  @TransactionalPost('review-requests')
  @Operation('tasks_review_requests_create', {
    summary: 'Request verdicts on a task',
    description:
      'Notifies the people and teams and adds the task to their working lists (`GET /work`) until they have given an ' +
      'approval with any verdict. Repeating an unanswered request has no effect.',
    path: { id: 'task' },
    body: RequestReviewDto,
    response: component(
      'ReviewRequest',
      exactly({
        task_id: idOf('task'),
        resource_ids: {
          type: 'array',
          items: idOf('resource'),
          description: 'The resources that were asked, now or before.',
        },
      }),
    ),
    refuses: ['archived', 'conflict'],
  })
  ask(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('task')) id: string,
    @Body(bodies.CreateBody(RequestReviewDto)) dto: RequestReviewDto,
  ): Promise<object> {
    return this.requests.ask(me, id, dto);
  }
}
