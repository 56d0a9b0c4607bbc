import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../../platform/http/requests/selected-fields.js';
import type { Page } from '../../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { checkView } from './check.view.js';
import { resultList } from './result.list.js';
import { resultView } from './result.view.js';
import { ResultsService } from './results.service.js';
import { PostResultDto } from '../task-dod.dto.js';
import { TaskDodService } from '../task-dod.service.js';

const representation = Object.keys(resultView.fields);
const TaskId = () => Param('id', bodies.PathId('task'));

@ApiTags('Dod')
@Controller()
export class DodRecordsController {
  constructor(
    private readonly dod: TaskDodService,
    private readonly results: ResultsService,
  ) {}

  @Get('dod-checks/:id')
  @Operation('dod_checks_get', { summary: 'Get check', path: { id: 'dod_check' }, resource: checkView })
  check(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('dod_check')) id: string,
    @Fields(checkView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.dod.get(me, id, fields);
  }

  @Get('tasks/:id/dod-results')
  @Operation('tasks_dod_results_list', {
    summary: 'List custom check results of a task',
    description: 'Newest first.',
    path: { id: 'task' },
    list: resultList,
  })
  list(@CurrentCaller() me: Caller, @TaskId() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.results.list(me, id, query);
  }

  @TransactionalPost('tasks/:id/dod-results')
  @Operation('tasks_dod_results_create', {
    summary: 'Post custom check result',
    description:
      'The latest result with a name counts for conditions of the type custom_check until the task is reopened. ' +
      'If a condition sets params.by, only results of that user or resource, of an agent of theirs, or of a holder of ' +
      'that role count.',
    status: 201,
    createdIn: '/dod-results',
    path: { id: 'task' },
    body: PostResultDto,
    response: resultView,
    refuses: ['archived'],
  })
  post(
    @CurrentCaller() me: Caller,
    @TaskId() id: string,
    @Body(bodies.CreateBody(PostResultDto, { representation })) dto: PostResultDto,
  ): Promise<Representation> {
    return this.results.post(me, id, dto);
  }

  @Get('dod-results/:id')
  @Operation('dod_results_get', {
    summary: 'Get custom check result',
    path: { id: 'dod_result' },
    resource: resultView,
  })
  result(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('dod_result')) id: string,
    @Fields(resultView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.results.get(me, id, fields);
  }
}
