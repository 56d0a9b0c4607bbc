import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { Nothing } from '../../../platform/http/responses/nothing.js';
import { FieldLists } from '../../endeavours/fields/field-lists.service.js';
import { AssignmentsService } from '../../resources/assignments/assignments.service.js';
import { Task } from '../task.entity.js';
import { taskView } from '../task.view.js';
import type { ClaimTaskDto } from './claim.dto.js';
import { ClaimRepository } from './claim.repository.js';
import { taskCounts } from '../task.list.js';
import { inQueryForm, readTaskFilter } from './task-filter.field.js';

/** Assigns the next task to a caller who asks for work. */
@Injectable()
export class ClaimService {
  constructor(
    private readonly access: Access,
    private readonly assignments: AssignmentsService,
    private readonly fieldLists: FieldLists,
    private readonly repository: ClaimRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Assigns the best task that can be started to the caller; no concurrent claim gets the same task. */
  async claim(me: Caller, { endeavour_id, filter = {} }: ClaimTaskDto): Promise<Representation | Nothing> {
    const endeavour = await this.access.resolveReference(me, 'tasks_claim', 'endeavour_id', endeavour_id, 'endeavour');
    this.access.assertWritable(endeavour);
    const query = { endeavour_id, ...inQueryForm(filter) };
    const list = await this.fieldLists.listFor(me, taskCounts, { query });
    const id = await this.repository.lockBest(me, endeavour_id, list, readTaskFilter(filter, list));
    if (id === undefined) return new Nothing();
    // Rejects administrators without a membership, because they cannot be assigned to tasks there.
    await this.assignments.resolve(me, endeavour_id, { endeavour_id: me.resourceId });
    const { row, place } = await this.access.lockForUpdate(me, 'tasks_claim', Task, id);
    return this.writer.patch(me, taskView, Task, {
      current: row,
      changes: { assigneeId: me.resourceId },
      place,
      isLast: true,
    });
  }
}
