import { Injectable } from '@nestjs/common';
import type { Granter } from '../../../access/memberships/membership-rows.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { newId } from '../../../common/ids.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { ReassignmentsService } from '../assignments/reassignments.service.js';
import { Resource } from '../resource.entity.js';
import { resourceView } from '../resource.view.js';
import { ResourcesRepository } from '../resources.repository.js';
import { TeamsService } from './teams.service.js';

/** Makes, renames and ends teams of an organization as its directory says, which needs no role. */
@Injectable()
export class DirectoryTeamsService {
  constructor(
    private readonly memberships: Memberships,
    private readonly reassignments: ReassignmentsService,
    private readonly resources: ResourcesRepository,
    private readonly teams: TeamsService,
    private readonly writer: ResourceWriter,
  ) {}

  /** Creates a team whose home is the organization, and returns its id. 409 `archived` or `in_progress`. */
  async create(directory: Granter, organizationId: string, name: string): Promise<string> {
    const id = newId('resource');
    await this.writer.create(directory, resourceView, Resource, {
      row: { id, name, type: 'team', organizationId, createdBy: null },
      place: { organizationId },
      title: name,
      childRows: async () => {
        const member = { resourceId: id, userId: null };
        await this.memberships.grantOrganization(directory, organizationId, member, { role: 'member' });
      },
    });
    return id;
  }

  async rename(directory: Granter, organizationId: string, id: string, name: string): Promise<void> {
    await this.change(directory, organizationId, id, { name });
  }

  /** Deletes the team; one with open work or a quorum becomes inactive instead. */
  async end(directory: Granter, organizationId: string, id: string): Promise<void> {
    await this.resources.lockAgainstAssignments(id);
    const row = await this.resources.lock(id);
    if (row.quorum !== null || (await this.reassignments.hasOpenWork(id))) {
      await this.change(directory, organizationId, id, { status: 'inactive' });
      return;
    }
    await this.teams.endAllOf(directory, id);
    await this.memberships.endAllSharing(directory, id);
    await this.writer.remove(
      directory,
      resourceView,
      Resource,
      row,
      { organizationId },
      {
        deletedAt: new Date(),
        organizationId: null,
        externalRef: null,
      },
    );
  }

  private async change(
    directory: Granter,
    organizationId: string,
    id: string,
    changes: Partial<Pick<Resource, 'name' | 'status'>>,
  ): Promise<void> {
    const current = await this.resources.lock(id);
    await this.writer.patch(directory, resourceView, Resource, {
      current,
      changes,
      place: { organizationId },
      entityChanges: { title: changes.name },
    });
  }
}
