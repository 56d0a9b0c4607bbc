import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { MembershipRows } from '../../../access/memberships/membership-rows.js';
import { Memberships } from '../../../access/memberships/memberships.js';
import { Tiers } from '../../../access/tiers/tiers.js';
import { archived, conflict } from '../../../common/errors.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { assertArchiveReason, type ArchiveDto, type UnarchiveDto } from '../../../platform/containment/archive.dto.js';
import { ArchivedStates } from '../../../platform/containment/archived-states.js';
import { Database } from '../../../platform/database/database.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService } from '../../operations/operations.service.js';
import { ArchivesService, PREVIEW_SECONDS, restored } from '../../organizations/archive/archives.service.js';
import { ErasureRequests } from '../../organizations/archive/erasure-requests.service.js';
import { OwnerMails } from '../../organizations/archive/owner-mails.js';
import { ERASABLE_ENDEAVOUR } from './endeavour-erase.service.js';
import { EndeavourHomesService } from '../homes/endeavour-homes.service.js';
import { Endeavour } from '../endeavour.entity.js';
import { endeavourView } from '../endeavour.view.js';

/** The effects of archiving an endeavour. */
export interface EndeavourImpact {
  endeavour_id: string;
  planned_tasks: number;
  active_tasks: number;
  done_tasks: number;
  canceled_tasks: number;
  tasks_to_cancel: number;
  demands_to_cancel: number;
  rituals_to_disable: number;
}

/** Archives an endeavour with all open work in it, and restores it. */
@Injectable()
export class EndeavourArchiveService {
  constructor(
    private readonly access: Access,
    private readonly archives: ArchivesService,
    private readonly database: Database,
    private readonly erasures: ErasureRequests,
    private readonly homes: EndeavourHomesService,
    private readonly mails: OwnerMails,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
    private readonly operations: OperationsService,
    private readonly states: ArchivedStates,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {
    operations.register({
      name: 'endeavours_archive',
      authorize: (me, { containerId }) => this.access.authorizeWithoutLock(me, 'endeavours_archive', containerId),
      step: (me, work, limit) => this.archives.archiveSome(me, [work.containerId], work, { limit }),
      finish: (me, work) => this.finishArchiving(me, work),
      undo: (work, limit) => this.archives.restoreSome(null, [work.containerId], work, limit),
    });
    operations.register({
      name: 'endeavours_unarchive',
      authorize: (me, { containerId }) => this.homes.assertMayErase(me, 'endeavours_unarchive', containerId),
      step: (me, work, limit) => this.restoreSome(me, work, limit),
      finish: (me, work) => this.finishRestoring(me, work),
      undo: (work, limit) => this.archives.archiveSome(null, [work.containerId], work, { limit }),
    });
  }

  async preview(me: Caller, id: string): Promise<EndeavourImpact> {
    await this.access.authorize(me, 'endeavours_archive_get', id);
    const impact = await this.database.snapshot(PREVIEW_SECONDS, () => this.archives.impactOn([id]));
    const { tasks, tasksToCancel, demandsToCancel, ritualsToDisable } = impact;
    return {
      endeavour_id: id,
      planned_tasks: tasks.planned,
      active_tasks: tasks.active,
      done_tasks: tasks.done,
      canceled_tasks: tasks.canceled,
      tasks_to_cancel: tasksToCancel,
      demands_to_cancel: demandsToCancel,
      rituals_to_disable: ritualsToDisable,
    };
  }

  async archive(me: Caller, id: string, dto: ArchiveDto): Promise<Representation | object> {
    assertArchiveReason(dto);
    const locked = await this.access.lockExclusively(me, 'endeavours_archive', Endeavour, id);
    this.access.assertIfMatch(locked);
    return this.archiveLocked(me, locked, dto.reason);
  }

  /** Archives an endeavour in a request about another entity, of which `If-Match` names the revision. */
  async archiveWithoutIfMatch(me: Caller, id: string, reason: string): Promise<Representation | object> {
    return this.archiveLocked(me, await this.access.lockExclusively(me, 'endeavours_archive', Endeavour, id), reason);
  }

  private async archiveLocked(
    me: Caller,
    { row: { id }, ...container }: LockedResource<Endeavour>,
    reason: string,
  ): Promise<Representation | object> {
    this.access.assertWritable(container);
    return this.operations.run(me, {
      type: 'endeavours_archive',
      containerId: id,
      organizationId: await this.homes.homeOf(id),
      parameters: { reason },
      total: await this.archives.total([id]),
      closes: { endeavourIds: [id] },
    });
  }

  async unarchive(me: Caller, id: string, { restore_work = true }: UnarchiveDto): Promise<Representation | object> {
    await this.lockHome(me, id);
    const locked = await this.access.lockExclusively(me, 'endeavours_unarchive', Endeavour, id);
    await this.homes.assertMayErase(me, 'endeavours_unarchive', id);
    this.access.assertIfMatch(locked);
    this.access.assertNotClosed(locked);
    if (locked.row.status !== 'archived') throw conflict('not_archived', 'The endeavour is not archived.');
    await this.assertHomeIsActive(id);
    const organizationId = await this.homes.homeOf(id);
    await this.tiers.assertMayRestoreEndeavours(me, [id], organizationId);
    await this.erasures.stopIfRequested(me, ERASABLE_ENDEAVOUR, locked);
    return this.operations.run(me, {
      type: 'endeavours_unarchive',
      containerId: id,
      organizationId,
      parameters: { restore_work, reason: locked.row.archivedReason ?? '' },
      total: await this.states.count([id]),
      closes: { endeavourIds: [id] },
    });
  }

  private async finishArchiving(me: Caller, { containerId, tally }: OperationWork): Promise<Representation> {
    const endeavour = await this.access.getOr404(me, endeavourView, containerId);
    await this.mails.send(me, 'container_archived', { id: containerId, name: endeavour.read(endeavourView).name });
    return endeavour.with({
      tasks_canceled: tally.tasks ?? 0,
      demands_canceled: tally.demands ?? 0,
      rituals_disabled: tally.rituals ?? 0,
    });
  }

  private async restoreSome(me: Caller, work: OperationWork, limit: number): Promise<number> {
    const endeavours = [work.containerId];
    const discarded = work.parameters.restore_work === true ? 0 : await this.archives.deleteSome(endeavours, limit);
    return discarded > 0 ? discarded : this.archives.restoreSome(me, endeavours, work, limit);
  }

  private async finishRestoring(me: Caller, work: OperationWork): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'endeavours_unarchive', Endeavour, work.containerId);
    await this.memberships.ensureOwner('endeavour', work.containerId, me);
    const endeavour = await this.activate(me, locked);
    return endeavour.with(restored(work));
  }

  /** Sets an endeavour without a stored state active; the operation has restored the state of any other. */
  private activate(me: Caller, { row, place }: LockedResource<Endeavour>): Promise<Representation> {
    if (row.status !== 'archived') return this.access.getOr404(me, endeavourView, row.id);
    return this.writer.patch(me, endeavourView, Endeavour, {
      current: row,
      changes: { status: 'active', completedAt: null, archivedAt: null, archivedReason: null },
      place,
      type: () => 'endeavour.unarchived',
    });
  }

  /**
   * Locks the home organization, in whose limits the endeavour counts: organizations come before endeavours. Its owners
   * alone can make others wait for it.
   */
  private async lockHome(me: Caller, id: string): Promise<void> {
    await this.homes.assertMayErase(me, 'endeavours_unarchive', id);
    const organizationId = await this.homes.homeOf(id);
    if (organizationId !== null) await this.membershipRows.lock('organization', organizationId);
  }

  /** Rejects the restoration of an endeavour whose home organization is archived. */
  private async assertHomeIsActive(id: string): Promise<void> {
    const home = await this.homes.stateOf(id);
    this.access.assertNotClosed({ closedBy: home?.closedBy ?? null });
    if (home?.status === 'archived') throw archived('organization');
  }
}
