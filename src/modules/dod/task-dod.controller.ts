import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalDelete, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { checkList } from './results/check.list.js';
import { checkView, conditionResultSchema } from './results/check.view.js';
import { OverrideDto } from './task-dod.dto.js';
import { TaskDodService } from './task-dod.service.js';

const Id = () => Param('id', bodies.PathId('task'));
const path = { id: 'task' } as const;
const text = { type: 'string' };
const overriddenSchema = exactly({
  task_id: text,
  status: { type: 'string', enum: ['overridden'] },
  reason: text,
  by: text,
  at: { type: 'string', format: 'date-time' },
  conditions_bypassed: { type: 'array', items: conditionResultSchema, description: 'The conditions that are not met.' },
});

@ApiTags('Dod')
@Controller('tasks/:id')
export class TaskDodController {
  constructor(private readonly dod: TaskDodService) {}

  @TransactionalPost('dod-check')
  @Operation('tasks_dod_check_run', {
    summary: 'Check task DoD compliance',
    description:
      'Checks the task against the policy and stores the check. To complete the task, you must also have ' +
      'endorsed the policy. If the approved content of a done task has changed (`dod.result` is `changed`), a check ' +
      'that is met makes it `met` again, if it is by a member who has endorsed the policy.',
    path,
    response: checkView,
    refuses: ['archived'],
  })
  check(@CurrentCaller() me: Caller, @Id() id: string): Promise<Representation> {
    return this.dod.check(me, id);
  }

  @Get('dod-checks')
  @Operation('tasks_dod_checks_list', {
    summary: 'List the checks of a task',
    description: 'Includes the checks of status changes that were rejected.',
    path,
    list: checkList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.dod.list(me, id, query);
  }

  @TransactionalPost('dod-override')
  @Operation('tasks_dod_override_set', {
    summary: 'Override DoD for task',
    description:
      'Allows the task to be completed although it does not meet the policy. The override ends when the task is ' +
      'reopened or moved or its approved content changes, and counts only while the version of the policy is in ' +
      'force that was in force when it was made.',
    path,
    body: OverrideDto,
    response: overriddenSchema,
    refuses: ['archived', 'precondition_failed'],
  })
  override(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(OverrideDto)) dto: OverrideDto,
  ): Promise<object> {
    return this.dod.override(me, id, dto);
  }

  @TransactionalDelete('dod-override')
  @Operation('tasks_dod_override_remove', {
    summary: 'Lift DoD override of a task',
    description: 'Has no effect if there is no override.',
    path,
    response: exactly({ task_id: text, status: { type: 'string', enum: ['lifted'] } }),
    refuses: ['archived', 'precondition_failed'],
  })
  lift(@CurrentCaller() me: Caller, @Id() id: string): Promise<object> {
    return this.dod.lift(me, id);
  }
}
