import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import { TaskParents, type PartLinks } from '../tasks/parts/task-parents.js';
import { RelationsRepository } from './relations.repository.js';
import { RelationsService } from './relations.service.js';

/** Writes the relations `parent_of` for requests that name the parent of a task, with the checks of other relations. */
@Injectable()
export class TaskPartLinks implements PartLinks {
  constructor(
    private readonly relations: RelationsService,
    private readonly repository: RelationsRepository,
    parents: TaskParents,
  ) {
    parents.register(this);
  }

  async setParent(me: Caller, taskId: string, parentId: string | null): Promise<boolean> {
    const current = await this.repository.parentsOf(taskId);
    const isThere = current.some((one) => one.parentId === parentId);
    if (parentId !== null && !isThere && !(await this.repository.areTogether(taskId, parentId))) {
      throw invalidInput([referenceNotFound('parent_id')]);
    }
    const others = current.filter((one) => one.parentId !== parentId);
    for (const { relationId } of others) await this.relations.remove(me, relationId);
    if (parentId === null || isThere) return others.length > 0;
    await this.relations.create(me, {
      relationship_type: 'parent_of',
      source_entity_type: 'task',
      source_entity_id: parentId,
      target_entity_type: 'task',
      target_entity_id: taskId,
    });
    return true;
  }
}
