import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { CHECKLIST, checklistWith } from '../../../common/checklist.js';
import { notFound } from '../../../common/errors.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { TaskTransitions } from '../task-transitions.js';
import { TasksService } from '../tasks.service.js';
import type { UpdateChecklistItemDto } from './checklist-item.dto.js';

/** Changes single items of the checklists of tasks. */
@Injectable()
export class ChecklistsService {
  constructor(
    private readonly tasks: TasksService,
    private readonly transitions: TaskTransitions,
  ) {}

  /** The task is locked before its checklist is read, so that items that are ticked at once are all ticked. */
  async updateItem(me: Caller, id: string, itemId: string, dto: UpdateChecklistItemDto): Promise<Representation> {
    const task = await this.transitions.lock(me, id, { metadata: {} });
    const checklist = checklistWith(task.row.metadata, itemId, dto);
    if (checklist === undefined) throw notFound();
    return this.tasks.patch(me, task, { metadata: { [CHECKLIST]: checklist } });
  }
}
