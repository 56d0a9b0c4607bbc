import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPatch } from '../../platform/http/requests/transactional-routes.js';
import { UpdateLabelDto } from './label.dto.js';
import { labelList } from './label.list.js';
import { MAX_LABEL } from './label.rules.js';
import { labelView } from './label.view.js';
import { LabelsService } from './labels.service.js';

const representation = Object.keys(labelView.fields);
const Id = () => Param('id', bodies.PathId('endeavour'));
const path = { id: 'endeavour' } as const;

@ApiTags('Endeavours')
@Controller('endeavours/:id/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Get()
  @Operation('endeavours_labels_list', {
    summary: 'List labels of an endeavour',
    description:
      'Lists the labels that tasks and demands of the endeavour have or had, with the numbers of those that have them.',
    path,
    list: labelList,
  })
  list(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.labels.list(me, id, query);
  }

  @TransactionalPatch(':name')
  @Operation('endeavours_labels_update', {
    summary: 'Rename or merge label',
    description:
      'Renames the label for all tasks and demands that have it, or changes its spelling. If the endeavour has another ' +
      'label of the new name, the label is merged into that one. Revisions of tasks and demands stay; the search follows ' +
      'within a minute.',
    path,
    words: {
      name: {
        description: 'The name of the label, in any spelling.',
        schema: { type: 'string', minLength: 1, maxLength: MAX_LABEL, examples: ['bug'] },
      },
    },
    body: UpdateLabelDto,
    response: labelView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Param('name') name: string,
    @Body(bodies.PatchBody(UpdateLabelDto, { representation })) dto: UpdateLabelDto,
  ): Promise<Representation> {
    return this.labels.rename(me, id, name, dto);
  }
}
