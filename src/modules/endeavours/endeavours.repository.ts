import { Injectable } from '@nestjs/common';
import { joinOrganization } from '../../access/visibility/containers.view.js';
import type { Caller } from '../../access/authentication/caller.js';
import { homeOrganizationOf } from '../../access/memberships/home.js';
import { visible } from '../../access/visibility/visibility.js';
import type { Actor } from '../../platform/context/actor.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { Database } from '../../platform/database/database.js';
import type { DeclaredField } from '../../common/declared-field.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView } from './endeavour.view.js';
import type { Stage } from './stages/stages.js';

/** The home organization of an endeavour and its state. */
export interface HomeState {
  id: string;
  status: string;
  closedBy: string | null;
}

/** Reads and writes endeavours. */
@Injectable()
export class EndeavoursRepository {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
  ) {}

  /** Waits for everybody who writes in the endeavour, and blocks others until the commit. */
  lockAgainstWrites(id: string): Promise<void> {
    return this.database.lockExclusively(Endeavour, id);
  }

  lock(id: string): Promise<Endeavour> {
    return this.database.row(Endeavour, id, { locked: true });
  }

  async timezoneOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ timezone: string }>('SELECT timezone FROM endeavours WHERE id = $1', [id]);
    return row?.timezone;
  }

  async stagesOf(id: string): Promise<Stage[] | null> {
    const row = await this.database.one<{ stages: Stage[] | null }>('SELECT stages FROM endeavours WHERE id = $1', [
      id,
    ]);
    return row?.stages ?? null;
  }

  async fieldsOf(id: string): Promise<DeclaredField[] | null> {
    const row = await this.database.one<{ fields: DeclaredField[] | null }>(
      'SELECT fields FROM endeavours WHERE id = $1',
      [id],
    );
    return row?.fields ?? null;
  }

  /** The number of tasks that are shown in these stages of the endeavour. */
  async countInStages(id: string, stages: readonly Stage[]): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM endeavours e JOIN task_states k ON k.endeavour_id = e.id
       WHERE e.id = $1 AND k.status = ANY($2::text[]) AND stage_in(e.stages, k.status, k.stage) ->> 'id' = ANY($3::text[])`,
      [id, stages.map(({ status }) => status), stages.map((stage) => stage.id)],
    );
    return row?.count ?? 0;
  }

  homeOf(id: string): Promise<HomeState | undefined> {
    return this.database.one<HomeState>(
      `SELECT o.id, o.status, o.closed_by AS "closedBy" FROM endeavours e ${joinOrganization('o', homeOrganizationOf('e.id'))}
       WHERE e.id = $1`,
      [id],
    );
  }

  /** Whether the caller owns the home organization of the endeavour or, without one, the endeavour itself. */
  ownership(me: Caller, id: string): Promise<{ hasHome: boolean; isOwner: boolean } | undefined> {
    return this.database.one<{ hasHome: boolean; isOwner: boolean }>(
      `SELECT home.id IS NOT NULL AS "hasHome", CASE WHEN home.id IS NULL
         THEN EXISTS (SELECT 1 FROM endeavour_members m
           WHERE m.endeavour_id = e.id AND m.user_id = $2 AND m.role = 'owner')
         ELSE EXISTS (SELECT 1 FROM organization_resources m
           WHERE m.organization_id = home.id AND m.user_id = $2 AND m.role = 'owner') END AS "isOwner"
       FROM endeavours e CROSS JOIN LATERAL (SELECT ${homeOrganizationOf('e.id')} AS id) home WHERE e.id = $1`,
      [id, me.userId],
    );
  }

  /** Whether a move between endeavours stays in the home organization of the source, and the caller's rank there. */
  moveBetween(me: Caller, from: string, to: string): Promise<{ stays: boolean; rank: number } | undefined> {
    return this.database.one<{ stays: boolean; rank: number }>(
      `SELECT source.organization_id IS NULL OR source.organization_id IS NOT DISTINCT FROM target.organization_id AS stays,
         coalesce((SELECT role_rank(m.role) FROM organization_resources m
           WHERE m.organization_id = source.organization_id AND m.user_id = $3), 0) AS rank
       FROM endeavours source, endeavours target WHERE source.id = $1 AND target.id = $2`,
      [from, to, me.userId],
    );
  }

  /** Returns the ids of the entities that are visible to the caller. */
  async visibleOf(me: Caller, entityIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT x.id FROM entities x WHERE x.id = ANY($2) AND ${me.isAdmin ? '$1::text IS NOT NULL' : visible('x')}`,
      [me.userId, entityIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Assigns a DoD policy to several endeavours. */
  async assignPolicy(me: Actor, ids: readonly string[], dodPolicyId: string): Promise<void> {
    await this.bulkWriter.patchAll(me, endeavourView, Endeavour, {
      where: 'e.id = ANY($1::text[])',
      parameter: ids,
      changes: { dodPolicyId },
      type: 'dod.assigned',
    });
  }
}
