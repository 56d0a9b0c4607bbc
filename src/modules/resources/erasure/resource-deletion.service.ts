import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { assertScopes } from '../../../access/operations/scopes.js';
import { MemberReferences } from '../../../access/memberships/member-references.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { conflict, invalidField, invalidInput, referenceNotFound } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { Resource } from '../resource.entity.js';
import { resourceView } from '../resource.view.js';
import { ResourcesRepository } from '../resources.repository.js';
import { ResourcesService } from '../resources.service.js';
import { AssignedWork } from '../assignments/assigned-work.js';
import { TeamsService } from '../teams/teams.service.js';

/** Soft-deletes resources, so that history keeps their names. */
@Injectable()
export class ResourceDeletionService {
  constructor(
    private readonly access: Access,
    private readonly memberReferences: MemberReferences,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesService,
    private readonly assignedWork: AssignedWork,
    private readonly rows: ResourcesRepository,
    private readonly teams: TeamsService,
    private readonly writer: ResourceWriter,
  ) {}

  /** Reassigns planned and active tasks to `reassignTo`; 409 `in_use` if there are any and it is undefined. */
  async remove(me: Caller, id: string, reassignTo: string | undefined): Promise<void> {
    if (reassignTo !== undefined) assertScopes(me, ['tasks:write', 'demands:write']);
    const opened = await this.resources.lockManaged(me, 'resources_delete', id);
    const { row, place } = opened;
    const newAssignee = reassignTo === undefined ? undefined : await this.newAssignee(me, id, reassignTo);
    this.access.assertWritable(opened);
    if (row.userId !== null)
      throw conflict(
        'user_resource',
        'This resource represents a user and can only be deleted together with that user.',
      );
    await this.rows.lockAgainstAssignments(id);
    await this.assignedWork.release(me, id, newAssignee);
    await this.teams.endAllOf(me, id);
    await this.memberships.endAllSharing(me, id);
    await this.writer.remove(me, resourceView, Resource, row, place, {
      deletedAt: new Date(),
      organizationId: null,
      externalRef: null,
    });
  }

  private async newAssignee(me: Caller, id: string, reassignTo: string): Promise<string> {
    const { resourceId } = await this.memberReferences.member(me, 'reassign_to', reassignTo);
    if (resourceId === id)
      throw invalidField('reassign_to', 'invalid_value', 'reassign_to must be a different resource.');
    if (!(await this.rows.protectFromDeletion(resourceId))) throw invalidInput([referenceNotFound('reassign_to')]);
    return resourceId;
  }
}
