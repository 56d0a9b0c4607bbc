import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../../access/authentication/caller.js';
import { CurrentCaller } from '../../../access/authentication/current-caller.js';
import { Operation } from '../../../access/operations/operation.js';
import type { Representation } from '../../../platform/database/views/view.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { TransactionalPatch } from '../../../platform/http/requests/transactional-routes.js';
import { taskView } from '../task.view.js';
import { UpdateChecklistItemDto } from './checklist-item.dto.js';
import { ChecklistsService } from './checklists.service.js';

@ApiTags('Tasks')
@Controller('tasks')
export class ChecklistController {
  constructor(private readonly checklists: ChecklistsService) {}

  @TransactionalPatch(':id/checklist/:item_id')
  @Operation('tasks_checklist_update', {
    summary: 'Update checklist item',
    description:
      'Ticks one item of `metadata.checklist`, or changes its text, and returns the task. Changes of other items at the ' +
      'same time are kept.',
    path: { id: 'task' },
    words: {
      item_id: {
        description: 'The `id` of the item, percent-encoded.',
        schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^.+$', examples: ['5d41402abc4b'] },
      },
    },
    body: UpdateChecklistItemDto,
    response: taskView,
    refuses: ['archived', 'precondition_failed'],
  })
  update(
    @CurrentCaller() me: Caller,
    @Param('id', bodies.PathId('task')) id: string,
    @Param('item_id') itemId: string,
    @Body(bodies.PatchBody(UpdateChecklistItemDto)) dto: UpdateChecklistItemDto,
  ): Promise<Representation> {
    return this.checklists.updateItem(me, id, itemId, dto);
  }
}
