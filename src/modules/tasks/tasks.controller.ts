import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import { TASK_STATUSES } from '../../common/statuses.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { exactly } from '../../platform/http/schemas.js';
import { Patch, Post } from '../../platform/http/routes.js';
import { CreateTaskDto, UpdateTaskDto } from './task.dto.js';
import { taskList } from './task.list.js';
import { TaskMoves } from './task.moves.js';
import type { Transition } from './task.rules.js';
import { taskView } from './task.view.js';
import { TasksService, type TaskSummary } from './tasks.service.js';

const representation = Object.keys(taskView.fields);
const Id = () => Param('id', bodies.PathId('task'));
const integer = { type: 'integer' };
const summarySchema = exactly({
  total: integer,
  ...Object.fromEntries(TASK_STATUSES.map((status) => [status, integer])),
});
const transitionsSchema = {
  type: 'array',
  items: exactly({
    status: { type: 'string', enum: [...TASK_STATUSES] },
    allowed: { type: 'boolean' },
    reasons: { type: 'array', items: exactly({ code: { type: 'string' }, message: { type: 'string' } }) },
  }),
};

@ApiTags('Tasks')
@Controller('tasks')
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly moves: TaskMoves,
  ) {}

  @Get()
  @Operation('tasks_list', { summary: 'List tasks', list: taskList, orAnswer: summarySchema })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page | TaskSummary> {
    return this.tasks.list(me, query);
  }

  @Post()
  @Operation('tasks_create', {
    summary: 'Create task',
    status: 201,
    body: CreateTaskDto,
    answer: taskView,
    refuses: ['archived', 'conflict', 'velocity_limit'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(CreateTaskDto, { representation })) dto: CreateTaskDto,
  ): Promise<Representation> {
    return this.tasks.create(me, dto);
  }

  @Get(':id')
  @Operation('tasks_get', { summary: 'Get task', path: { id: 'task' }, answer: taskView })
  get(@Me() me: Caller, @Id() id: string): Promise<Representation> {
    return this.tasks.get(me, id);
  }

  @Patch(':id')
  @Operation('tasks_update', {
    summary: 'Update task',
    description: 'A merge patch: only what is sent is written. Another endeavour_id moves the task.',
    path: { id: 'task' },
    body: UpdateTaskDto,
    answer: taskView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'dod_not_met', 'precondition_failed'],
  })
  update(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(UpdateTaskDto, { representation })) dto: UpdateTaskDto,
  ): Promise<Representation> {
    return this.tasks.update(me, id, dto);
  }

  @Get(':id/transitions')
  @Operation('tasks_transitions', {
    summary: 'Where the task can move',
    description: 'Each other status, whether you may move the task there now, and if not, every reason.',
    path: { id: 'task' },
    answer: transitionsSchema,
  })
  transitions(@Me() me: Caller, @Id() id: string): Promise<Transition[]> {
    return this.moves.transitions(me, id);
  }
}
