import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ContainerWriteBlocks } from '../../../access/visibility/container-write-blocks.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { Tiers } from '../../../access/tiers/tiers.js';
import { conflict } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { assertArchiveReason, type ArchiveDto, type UnarchiveDto } from '../../../platform/containment/archive.dto.js';
import { ArchivedStates } from '../../../platform/containment/archived-states.js';
import { Database } from '../../../platform/database/database.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService } from '../../operations/operations.service.js';
import { ArchivesService, PREVIEW_SECONDS, restored } from './archives.service.js';
import { ErasureRequests } from './erasure-requests.service.js';
import { ERASABLE_ORGANIZATION } from './organization-erase.service.js';
import { OwnerMails } from './owner-mails.js';
import { OrganizationEndeavoursRepository } from '../organization-endeavours.repository.js';
import { OrganizationEndeavoursService } from '../organization-endeavours.service.js';
import { Organization } from '../organization.entity.js';
import { organizationView } from '../organization.view.js';

/** The effects of archiving an organization. */
export interface OrganizationImpact {
  organization_id: string;
  endeavours_to_archive: number;
  endeavours_to_unlink: number;
  total_tasks_to_cancel: number;
  total_planned_tasks: number;
  total_active_tasks: number;
}

/**
 * Archives an organization with the endeavours whose home it is, unlinks the endeavours that it shares, and restores
 * it.
 */
@Injectable()
export class OrganizationArchiveService {
  constructor(
    private readonly access: Access,
    private readonly archives: ArchivesService,
    private readonly writeBlocks: ContainerWriteBlocks,
    private readonly endeavours: OrganizationEndeavoursRepository,
    private readonly erasures: ErasureRequests,
    private readonly database: Database,
    private readonly links: OrganizationEndeavoursService,
    private readonly mails: OwnerMails,
    private readonly memberships: Memberships,
    private readonly operations: OperationsService,
    private readonly states: ArchivedStates,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {
    operations.register({
      name: 'organizations_archive',
      authorize: (me, { containerId }) => this.access.authorizeWithoutLock(me, 'organizations_archive', containerId),
      step: (me, work, limit) => this.archiveSome(me, work, limit),
      finish: (me, work) => this.finishArchive(me, work),
      undo: async (work, limit) =>
        this.archives.restoreSome(null, await this.writeBlocks.endeavoursOf(work.id), work, limit),
    });
    operations.register({
      name: 'organizations_unarchive',
      authorize: (me, { containerId }) => this.access.authorizeWithoutLock(me, 'organizations_unarchive', containerId),
      step: (me, work, limit) => this.restoreSome(me, work, limit),
      finish: (me, work) => this.finishRestore(me, work),
      undo: async (work, limit) => {
        const endeavourIds = await this.writeBlocks.endeavoursOf(work.id);
        return this.archives.archiveSome(null, endeavourIds, work, { limit, organizationId: work.containerId });
      },
    });
  }

  async preview(me: Caller, id: string): Promise<OrganizationImpact> {
    await this.access.authorize(me, 'organizations_archive_get', id);
    return this.database.snapshot(PREVIEW_SECONDS, () => this.impactOn(id));
  }

  async archive(me: Caller, id: string, dto: ArchiveDto): Promise<Representation | object> {
    assertArchiveReason(dto);
    const opened = await this.access.lockExclusively(me, 'organizations_archive', Organization, id);
    this.access.assertIfMatch(opened);
    return this.archiveLocked(me, opened, dto.reason);
  }

  /** Archives an organization in a request about another entity, of which `If-Match` names the revision. */
  async archiveWithoutIfMatch(me: Caller, id: string, reason: string): Promise<Representation | object> {
    return this.archiveLocked(
      me,
      await this.access.lockExclusively(me, 'organizations_archive', Organization, id),
      reason,
    );
  }

  private async archiveLocked(
    me: Caller,
    { row: { id }, ...container }: LockedResource<Organization>,
    reason: string,
  ): Promise<Representation | object> {
    this.access.assertWritable(container);
    await this.endeavours.lockLinkedTo(id);
    const { own, shared } = await this.endeavours.linkedTo(id);
    await this.writeBlocks.assertNotBlocked(own);
    return this.operations.run(me, {
      type: 'organizations_archive',
      containerId: id,
      organizationId: id,
      parameters: { reason },
      total: (await this.archives.total(own)) + shared.length,
      closes: { endeavourIds: own, organizationId: id },
    });
  }

  async unarchive(me: Caller, id: string, { restore_work = true }: UnarchiveDto): Promise<Representation | object> {
    const opened = await this.access.lockExclusively(me, 'organizations_unarchive', Organization, id);
    this.access.assertIfMatch(opened);
    this.access.assertNotClosed(opened);
    if (opened.row.status !== 'archived') throw conflict('not_archived', 'The organization is not archived.');
    await this.tiers.assertMayCreateOrganization(me);
    const endeavourIds = restore_work ? await this.states.endeavoursOf(id) : [];
    await this.endeavours.lockLinkedTo(id);
    await this.writeBlocks.assertNotBlocked(endeavourIds);
    await this.tiers.assertMayRestoreEndeavours(me, endeavourIds, id);
    await this.erasures.stopIfRequested(me, ERASABLE_ORGANIZATION, opened);
    return this.operations.run(me, {
      type: 'organizations_unarchive',
      containerId: id,
      organizationId: id,
      parameters: { restore_work, reason: opened.row.archivedReason ?? '' },
      total: await this.states.count(endeavourIds),
      closes: { endeavourIds, organizationId: id },
    });
  }

  private async impactOn(id: string): Promise<OrganizationImpact> {
    const { own, shared } = await this.endeavours.linkedTo(id);
    const impact = await this.archives.impactOn(own);
    return {
      organization_id: id,
      endeavours_to_archive: impact.endeavours,
      endeavours_to_unlink: shared.length,
      total_tasks_to_cancel: impact.tasksToCancel,
      total_planned_tasks: impact.tasks.planned,
      total_active_tasks: impact.tasks.active,
    };
  }

  /**
   * Archives the contents of the endeavours, then the endeavours, and removes the links last, because they are not
   * restored.
   */
  private async archiveSome(me: Caller, work: OperationWork, limit: number): Promise<number> {
    const { containerId: organizationId, tally } = work;
    const { own, shared } = await this.endeavours.linkedTo(organizationId);
    const count = await this.archives.archiveSome(me, own, work, { limit, organizationId });
    if (count > 0) return count;
    const unshared = shared.slice(0, limit);
    for (const endeavourId of unshared) {
      await this.links.unshare(me, { organization_id: organizationId, endeavour_id: endeavourId });
    }
    tally.unlinked = (tally.unlinked ?? 0) + unshared.length;
    return unshared.length;
  }

  private async finishArchive(
    me: Caller,
    { containerId, parameters, startedAt, tally }: OperationWork,
  ): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_archive', Organization, containerId);
    await this.states.storeOrganization(containerId, { status: opened.row.status });
    const archivedReason = String(parameters.reason);
    const changes = { status: 'archived', archivedAt: startedAt, archivedReason } as const;
    const organization = await this.patch(me, opened, changes, 'organization.archived');
    await this.mails.send(me, 'container_archived', opened.row);
    return organization.with({
      endeavours_archived: tally.endeavours ?? 0,
      endeavours_unlinked: tally.unlinked ?? 0,
      tasks_canceled: tally.tasks ?? 0,
    });
  }

  private async restoreSome(me: Caller, work: OperationWork, limit: number): Promise<number> {
    if (work.parameters.restore_work !== true) return 0;
    return this.archives.restoreSome(me, await this.states.endeavoursOf(work.containerId), work, limit);
  }

  private async finishRestore(me: Caller, work: OperationWork): Promise<Representation> {
    const id = work.containerId;
    const opened = await this.access.lockForUpdate(me, 'organizations_unarchive', Organization, id);
    await this.memberships.ensureOwner('organization', id, me);
    const previous = await this.states.previousOf<Pick<Organization, 'status'>>(id);
    await this.states.deleteOrganization(id);
    const changes = { status: previous?.status ?? 'active', archivedAt: null, archivedReason: null } as const;
    const organization = await this.patch(me, opened, changes, 'organization.unarchived');
    return organization.with({ endeavours_restored: work.tally.endeavours ?? 0, ...restored(work) });
  }

  private patch(
    me: Caller,
    { row, place }: LockedResource<Organization>,
    changes: Partial<Organization>,
    type: string,
  ): Promise<Representation> {
    return this.writer.patch(me, organizationView, Organization, { current: row, changes, place, type: () => type });
  }
}
