import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { TaggedData } from '../../platform/http/responses/tagged-data.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { filterParameters } from '../../platform/listing/parameters.js';
import { RankTaskDto } from './rank-task.dto.js';
import { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { taskCounts, taskList } from './task.list.js';
import { TaskTransitions } from './task-transitions.js';
import type { Transition } from './task.rules.js';
import { taskDetailView } from './task-detail.view.js';
import { taskView } from './task.view.js';
import type { TaskSummary } from './tasks.repository.js';
import { TasksService } from './tasks.service.js';

const representation = Object.keys(taskView.fields);
const Id = () => Param('id', bodies.PathId('task'));
const summarySchema = component(
  'TaskSummary',
  exactly({
    total: { type: 'integer', description: 'All matching tasks.' },
    ...Object.fromEntries(
      TASK_STATUSES.map((status) => [status, { type: 'integer', description: `Tasks with the status ${status}.` }]),
    ),
  }),
);
const transitionsSchema = {
  type: 'array',
  items: component(
    'TaskTransition',
    exactly({
      status: { type: 'string', enum: [...TASK_STATUSES], description: 'The target status.' },
      allowed: { type: 'boolean', description: 'Whether you can move the task to this status now.' },
      reasons: {
        type: 'array',
        items: exactly({
          code: { type: 'string', description: 'The error code that the request would return.' },
          message: { type: 'string', description: 'A message for people.' },
        }),
        description: 'The reasons why the transition is not allowed; empty if it is allowed.',
      },
    }),
  ),
};

@ApiTags('Tasks')
@Controller('tasks')
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly taskTransitions: TaskTransitions,
  ) {}

  @Get()
  @Operation('tasks_list', {
    summary: 'List tasks',
    description:
      'Returns the tasks in the endeavours that are visible to you. With `summary=true`, the response is that of ' +
      'GET /tasks/summary. With `endeavour_id`, the declared fields of that endeavour are further parameters: ' +
      '`metadata.<key>` with the values of the others, `metadata.<key>.min` and `metadata.<key>.max` for numbers and days, ' +
      'and `sort=metadata.<key>`.',
    list: taskList,
    refuses: ['not_found'],
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page | TaggedData<TaskSummary>> {
    return this.tasks.list(me, query);
  }

  @Get('summary')
  @Operation('tasks_summary_get', {
    summary: 'Count tasks by status',
    description: 'Accepts the filters of the list and counts the tasks that are visible to you.',
    query: filterParameters(taskCounts),
    response: summarySchema,
  })
  summary(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<TaskSummary> {
    return this.tasks.summary(me, query);
  }

  @TransactionalPost()
  @Operation('tasks_create', {
    summary: 'Create task',
    status: 201,
    body: CreateTaskDto,
    response: taskView,
    refuses: ['archived', 'conflict', 'velocity_limit'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(CreateTaskDto, { representation })) dto: CreateTaskDto,
  ): Promise<Representation> {
    return this.tasks.create(me, dto);
  }

  @Get(':id')
  @Operation('tasks_get', {
    summary: 'Get task',
    description:
      'Returns `blocked_by`, `parent` and `children` in addition to the properties that lists and writes return.',
    path: { id: 'task' },
    resource: taskDetailView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(taskDetailView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.tasks.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('tasks_update', {
    summary: 'Update task',
    description:
      'JSON merge patch: properties that you omit keep their values. Another endeavour_id moves the task, unless its ' +
      'dependencies would form a cycle or exceed 500 there.',
    path: { id: 'task' },
    body: UpdateTaskDto,
    response: taskView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'dod_not_met', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(UpdateTaskDto, { representation })) dto: UpdateTaskDto,
  ): Promise<Representation> {
    return this.tasks.update(me, id, dto);
  }

  @TransactionalPost(':id/rank')
  @Operation('tasks_rank_set', {
    summary: 'Rank task',
    description:
      'Moves the task in the order of the tasks of its endeavour (`sort=rank`): before or behind another one, to the ' +
      'beginning or to the end. It is the only one that changes.',
    path: { id: 'task' },
    body: RankTaskDto,
    response: taskView,
    refuses: ['archived', 'precondition_failed'],
  })
  rank(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(RankTaskDto)) dto: RankTaskDto,
  ): Promise<Representation> {
    return this.tasks.rank(me, id, dto);
  }

  @Get(':id/transitions')
  @Operation('tasks_transitions_list', {
    summary: 'List status transitions of a task',
    description: 'Returns every other status, whether you can move the task there now, and if not, all reasons.',
    path: { id: 'task' },
    response: transitionsSchema,
  })
  transitions(@CurrentCaller() me: Caller, @Id() id: string): Promise<Transition[]> {
    return this.taskTransitions.transitions(me, id);
  }
}
