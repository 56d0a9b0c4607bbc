import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { homeOrganizationOf } from '../../access/home.js';
import type { OperationId } from '../../access/permissions.js';
import { forbidden } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';

/** The home organization of an endeavour, as it stands. */
export interface HomeStanding {
  id: string;
  status: string;
  closedBy: string | null;
}

/** Answers who the endeavours belong to: their home organization, or their direct owners where they have none. */
@Injectable()
export class EndeavourHomesService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
  ) {}

  /** The id of the home organization; null where there is none. */
  async of(endeavourId: string): Promise<string | null> {
    return (await this.standingOf(endeavourId))?.id ?? null;
  }

  standingOf(endeavourId: string): Promise<HomeStanding | undefined> {
    return this.database.one<HomeStanding>(
      `SELECT o.id, o.status, o.closed_by AS "closedBy" FROM endeavours e JOIN organizations o ON o.id = ${homeOrganizationOf('e.id')}
       WHERE e.id = $1`,
      [endeavourId],
    );
  }

  /** Refuses all but owners of the home, direct owners of an endeavour without one, and administrators. */
  async assertMayErase(me: Caller, operation: OperationId, endeavourId: string): Promise<void> {
    await this.access.authorizeWithoutLock(me, operation, endeavourId);
    if (me.isAdmin) return;
    const row = await this.database.one<{ hasHome: boolean; isOwner: boolean }>(
      `SELECT home.id IS NOT NULL AS "hasHome", CASE WHEN home.id IS NULL
         THEN EXISTS (SELECT 1 FROM endeavour_members m
           WHERE m.endeavour_id = e.id AND m.user_id = $2 AND m.role = 'owner')
         ELSE EXISTS (SELECT 1 FROM organization_resources m
           WHERE m.organization_id = home.id AND m.user_id = $2 AND m.role = 'owner') END AS "isOwner"
       FROM endeavours e CROSS JOIN LATERAL (SELECT ${homeOrganizationOf('e.id')} AS id) home WHERE e.id = $1`,
      [endeavourId, me.userId],
    );
    if (row?.isOwner === true) return;
    throw forbidden(
      row?.hasHome === true
        ? 'the owner role in the home organization of this endeavour'
        : 'the owner role in this endeavour',
    );
  }
}
