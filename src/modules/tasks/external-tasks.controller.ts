import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { externalParameters, ExternalRequest, type ExternalPut } from '../../access/external-request.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import type { Created } from '../../platform/http/created.js';
import { TransactionalPut } from '../../platform/http/transactional-routes.js';
import { NewExternalTaskDto, PutExternalTaskDto } from './external-task.dto.js';
import { taskView } from './task.view.js';
import { TasksService } from './tasks.service.js';

const representation = Object.keys(taskView.fields);

@ApiTags('Tasks')
@Controller('tasks')
export class ExternalTasksController {
  constructor(
    private readonly externalRefs: ExternalRefs,
    private readonly tasks: TasksService,
  ) {}

  @TransactionalPut('by-external/:source/:external_id')
  @Operation('tasks_by_external_put', {
    summary: 'Create or update task by external reference',
    description:
      'Creates the task with this external_ref in the endeavour, or updates it as PATCH does (JSON merge patch). Accepts ' +
      'the properties of POST for a new task and those of PATCH for an existing one. Concurrent requests create one task.',
    ...externalParameters('endeavour'),
    mayCreate: true,
    createdIn: '/tasks',
    body: PutExternalTaskDto,
    response: taskView,
    refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'dod_not_met', 'precondition_failed'],
  })
  put(
    @CurrentCaller() me: Caller,
    @ExternalRequest('endeavour', NewExternalTaskDto, PutExternalTaskDto, { representation })
    request: ExternalPut<NewExternalTaskDto, PutExternalTaskDto>,
  ): Promise<Representation | Created> {
    return this.externalRefs.put(me, request, {
      view: taskView,
      container: 'endeavour',
      creation: 'tasks_create',
      fixed: [],
      create: (dto) => this.tasks.create(me, dto),
      update: (id, dto) => this.tasks.update(me, id, dto),
    });
  }
}
