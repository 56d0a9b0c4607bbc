import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import { conflict, invalidField } from '../../common/errors.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import { Resource } from './resource.entity.js';
import { resourceView } from './resource.view.js';
import { ResourcesService } from './resources.service.js';
import { AssignedWork } from './assigned-work.js';

/** Takes resources away: softly, so that history keeps their names. */
@Injectable()
export class ResourceDeletionService {
  constructor(
    private readonly database: Database,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesService,
    private readonly assignedWork: AssignedWork,
    private readonly writer: ResourceWriter,
  ) {}

  /** `reassignTo` takes over what is planned or active; without it there must be nothing of the kind. */
  async remove(me: Caller, id: string, reassignTo: string | undefined): Promise<void> {
    const { row, place } = await this.resources.openManaged(me, 'resources_delete', id);
    if (row.userId !== null)
      throw conflict(
        'user_resource',
        'This resource represents a user and can only be deleted together with that user.',
      );
    const heir = reassignTo === undefined ? undefined : await this.heir(me, id, reassignTo);
    // Waits for transactions that are assigning work to the resource, and blocks new ones (Assignments).
    await this.database.lockExclusively(Resource, id);
    await this.assignedWork.release(me, id, heir);
    await this.database.query('DELETE FROM team_members WHERE team_id = $1 OR resource_id = $1', [id]);
    await this.database.query('DELETE FROM organization_resources WHERE resource_id = $1', [id]);
    await this.writer.remove(me, resourceView, Resource, row, place, {
      deletedAt: new Date(),
      organizationId: null,
      externalRef: null,
    });
  }

  private async heir(me: Caller, id: string, reassignTo: string): Promise<string> {
    const { resourceId } = await this.memberships.member(me, 'reassign_to', reassignTo);
    if (resourceId !== id) return resourceId;
    throw invalidField('reassign_to', 'invalid_value', 'reassign_to must be a different resource.');
  }
}
