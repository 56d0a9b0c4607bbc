import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Tiers } from '../../access/tiers.js';
import { archived, conflict } from '../../common/errors.js';
import { Writes } from '../../platform/changes/writes.js';
import { assertReason, type ArchiveDto } from '../../platform/contents/archive.dto.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import { Archives, PREVIEW_SECONDS } from '../organizations/archives.service.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView } from './endeavour.view.js';

/** What archiving an endeavour would do. */
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

/** Closes an endeavour with all open work in it, and opens it again. */
@Injectable()
export class EndeavourArchiveService {
  constructor(
    private readonly access: Access,
    private readonly archives: Archives,
    private readonly database: Database,
    private readonly tiers: Tiers,
    private readonly writes: Writes,
  ) {}

  async preview(me: Caller, id: string): Promise<EndeavourImpact> {
    await this.access.at(me, 'endeavours_archive_preview', id);
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

  async archive(me: Caller, id: string, dto: ArchiveDto): Promise<Representation> {
    assertReason(dto);
    const opened = await this.access.openAlone(me, 'endeavours_archive', Endeavour, id);
    this.access.ready(opened);
    const { tasksToCancel, demandsToCancel, ritualsToDisable } = await this.archives.archive(me, [id], dto.reason);
    const endeavour = await this.access.read(me, endeavourView, id);
    return endeavour.with({
      tasks_canceled: tasksToCancel,
      demands_canceled: demandsToCancel,
      rituals_disabled: ritualsToDisable,
    });
  }

  /** What was canceled stays canceled. */
  async unarchive(me: Caller, id: string): Promise<Representation> {
    const { row, place } = await this.access.open(me, 'endeavours_unarchive', Endeavour, id);
    this.access.matches({ row });
    if (row.status !== 'archived') throw conflict('not_archived', 'The endeavour is not archived.');
    await this.assertNotWithin(id);
    await this.tiers.assertMayActivateEndeavour(me);
    return this.writes.patch(me, endeavourView, Endeavour, {
      current: row,
      changes: { status: 'active', completedAt: null, archivedAt: null, archivedReason: null },
      place,
      type: () => 'endeavour.unarchived',
    });
  }

  /** Nothing lives in an archived organization. */
  private async assertNotWithin(id: string): Promise<void> {
    const row = await this.database.one(
      `SELECT 1 FROM organization_endeavours l JOIN organizations o ON o.id = l.organization_id
       WHERE l.endeavour_id = $1 AND o.status = 'archived'`,
      [id],
    );
    if (row !== undefined) throw archived('organization');
  }
}
