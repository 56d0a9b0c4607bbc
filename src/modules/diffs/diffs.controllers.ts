import { Controller, Get, Param, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { PathId } from '../../platform/http/bodies/body.pipe.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { policyView } from '../dod/policies/policy.view.js';
import { ritualView } from '../rituals/ritual.view.js';
import { templateView } from '../templates/template.view.js';
import { fieldChangesSchema } from './field-changes.js';
import { TaskDiffsService, type TaskDiff } from './task-diffs.service.js';
import { VersionDiffsService, type Versioned, type VersionDiff } from './version-diffs.service.js';

const AS_LINES =
  'Texts are compared line by line, as a unified diff. If that takes more than a second, too_large is true, and only ' +
  'the lengths of both texts are returned.';

interface DiffRoute extends Versioned {
  tag: string;
  path: string;
  operation: OperationId;
  noun: string;
  /** The name of the schema. */
  name: string;
}

/** Creates the controller of GET /{path}/{id}/diff for a versioned kind. */
function diffController({ tag, path, operation, noun, name, ...versioned }: DiffRoute): Type {
  const { kind } = versioned.view;
  const version = exactly({ id: idOf(kind), version: { type: 'integer' } });
  @ApiTags(tag)
  @Controller(`${path}/:id/diff`)
  class VersionDiffController {
    constructor(private readonly diffs: VersionDiffsService) {}

    @Get()
    @Operation(operation, {
      summary: `Compare ${noun}`,
      description: `Returns the properties that differ between this entity and another one, usually another version of it. ${AS_LINES}`,
      path: { id: kind },
      query: { to: { description: 'The id of the entity to compare with.', schema: idOf(kind), required: true } },
      response: component(name, exactly({ from: version, to: version, changes: fieldChangesSchema() })),
    })
    read(
      @CurrentCaller() me: Caller,
      @Param('id', PathId(kind)) id: string,
      @QueryParameters() query: RawQuery,
    ): Promise<VersionDiff> {
      return this.diffs.read(me, versioned, id, query);
    }
  }
  return VersionDiffController;
}

const sequenceOf = (description: string, required: boolean) => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [0] },
  required,
});

@ApiTags('Tasks')
@Controller('tasks/:id/diff')
class TaskDiffController {
  constructor(private readonly diffs: TaskDiffsService) {}

  @Get()
  @Operation('tasks_diff_get', {
    summary: 'Compare a task at two times',
    description:
      'Returns the properties of the task that differ between two sequences of the feed (`GET /changes`). The state at a ' +
      `sequence includes the change with that sequence; before its creation, a task has no values. ${AS_LINES}`,
    path: { id: 'task' },
    query: {
      from: sequenceOf('The earlier sequence; 0 is before all events.', true),
      to: sequenceOf('The later sequence; the newest by default.', false),
    },
    response: component(
      'TaskDiff',
      exactly({
        from: { type: 'integer', description: 'The earlier sequence.' },
        to: { type: 'integer', description: 'The later sequence.' },
        changes: fieldChangesSchema(),
      }),
    ),
    refuses: ['gone'],
  })
  read(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('task')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<TaskDiff> {
    return this.diffs.read(me, id, query);
  }
}

export const DIFF_CONTROLLERS: Type[] = [
  TaskDiffController,
  diffController({
    tag: 'Rituals',
    path: 'rituals',
    operation: 'rituals_diff_get',
    noun: 'two rituals',
    name: 'RitualDiff',
    view: ritualView,
  }),
  diffController({
    tag: 'Templates',
    path: 'templates',
    operation: 'templates_diff_get',
    noun: 'two templates',
    name: 'TemplateDiff',
    view: templateView,
  }),
  diffController({
    tag: 'Dod',
    path: 'dod-policies',
    operation: 'dod_policies_diff_get',
    noun: 'two DoD policies',
    name: 'DodPolicyDiff',
    view: policyView,
  }),
];
