import { Injectable } from '@nestjs/common';
import { Access, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Tiers } from '../../access/tiers.js';
import { conflict } from '../../common/errors.js';
import { Writes } from '../../platform/changes/writes.js';
import { assertReason, type ArchiveDto } from '../../platform/contents/archive.dto.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import { Archives, PREVIEW_SECONDS } from './archives.service.js';
import { OrganizationEndeavoursService } from './organization-endeavours.service.js';
import { Organization } from './organization.entity.js';
import { organizationView } from './organization.view.js';

/** What archiving an organization would do. */
export interface OrganizationImpact {
  organization_id: string;
  endeavours_to_archive: number;
  endeavours_to_unlink: number;
  total_tasks_to_cancel: number;
  total_planned_tasks: number;
  total_active_tasks: number;
}

/** The endeavours of an organization: those that are its alone, and those that it shares with others. */
interface Linked {
  own: string[];
  shared: string[];
}

/** Closes an organization with the endeavours that are its alone, lets go of the others, and opens it again. */
@Injectable()
export class OrganizationArchiveService {
  constructor(
    private readonly access: Access,
    private readonly archives: Archives,
    private readonly database: Database,
    private readonly links: OrganizationEndeavoursService,
    private readonly tiers: Tiers,
    private readonly writes: Writes,
  ) {}

  async preview(me: Caller, id: string): Promise<OrganizationImpact> {
    await this.access.at(me, 'organizations_archive_preview', id);
    return this.database.snapshot(PREVIEW_SECONDS, () => this.impactOn(id));
  }

  async archive(me: Caller, id: string, dto: ArchiveDto): Promise<Representation> {
    assertReason(dto);
    const opened = await this.access.openAlone(me, 'organizations_archive', Organization, id);
    this.access.ready(opened);
    await this.lockEndeavours(id);
    const { own, shared } = await this.linked(id);
    const impact = await this.archives.archive(me, own, dto.reason);
    for (const endeavourId of shared) await this.links.cut(me, { organization_id: id, endeavour_id: endeavourId });
    const changes = { status: 'archived', archivedAt: new Date(), archivedReason: dto.reason } as const;
    const archived = await this.patch(me, opened, changes, 'organization.archived');
    return archived.with({
      endeavours_archived: impact.endeavours,
      endeavours_unlinked: shared.length,
      tasks_canceled: impact.tasksToCancel,
    });
  }

  /** What was canceled stays canceled, and each endeavour is opened again by itself. */
  async unarchive(me: Caller, id: string): Promise<Representation> {
    const opened = await this.access.open(me, 'organizations_unarchive', Organization, id);
    this.access.matches(opened);
    if (opened.row.status !== 'archived') throw conflict('not_archived', 'The organization is not archived.');
    await this.tiers.assertMayCreateOrganization(me);
    const changes = { status: 'active', archivedAt: null, archivedReason: null } as const;
    return this.patch(me, opened, changes, 'organization.unarchived');
  }

  private async impactOn(id: string): Promise<OrganizationImpact> {
    const { own, shared } = await this.linked(id);
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

  private patch(
    me: Caller,
    { row, place }: Opened<Organization>,
    changes: Partial<Organization>,
    type: string,
  ): Promise<Representation> {
    return this.writes.patch(me, organizationView, Organization, { current: row, changes, place, type: () => type });
  }

  /**
   * Waits for everybody who writes in them, in order, and holds them alone as `Database.holdAlone` does. Whether they are
   * shared can only be told afterwards.
   */
  private async lockEndeavours(id: string): Promise<void> {
    await this.database.query(
      `WITH locked AS (
         SELECT e.id FROM endeavours e JOIN organization_endeavours l ON l.endeavour_id = e.id
         WHERE l.organization_id = $1 ORDER BY e.id FOR UPDATE OF e)
       UPDATE endeavours e SET holds = holds + 1 FROM locked WHERE e.id = locked.id`,
      [id],
    );
  }

  private async linked(id: string): Promise<Linked> {
    const rows = await this.database.query<{ endeavour_id: string; is_shared: boolean }>(
      `SELECT l.endeavour_id, EXISTS (
         SELECT 1 FROM organization_endeavours other
         WHERE other.endeavour_id = l.endeavour_id AND other.organization_id <> l.organization_id) AS is_shared
       FROM organization_endeavours l WHERE l.organization_id = $1 ORDER BY l.endeavour_id`,
      [id],
    );
    const ids = (isShared: boolean) =>
      rows.filter(({ is_shared }) => is_shared === isShared).map(({ endeavour_id }) => endeavour_id);
    return { own: ids(false), shared: ids(true) };
  }
}
