import { Injectable } from '@nestjs/common';
import type { Kind } from '../../../common/kinds.js';
import { Database } from '../../../platform/database/database.js';
import { joinOperation } from '../../operations/operation-references.view.js';

/** The kinds that an undo deletes, each after those that belong to it. */
export const DELETED_KINDS = [
  'view',
  'rule',
  'relation',
  'comment',
  'time_entry',
  'artifact',
  'ritual',
  'template',
  'task',
  'demand',
  'iteration',
] as const;

/** Why something that an import created or changed stays. */
export type StayReason = 'changed' | 'kind' | 'gone' | 'edited' | 'contents' | 'tied';

/** Something that an import created or changed. */
export interface ImportedThing {
  id: string;
  kind: Kind;
  title: string;
  /** Null if it can be deleted. */
  reason: StayReason | null;
}

/** The import that is undone. */
export interface UndoneImport {
  operationId: string;
  endeavourId: string | null;
  organizationId: string | null;
  isDryRun: boolean;
  isFinished: boolean;
  created: number;
}

/** The undo: its request, whose events do not count as changes by somebody. */
export interface UndoRun {
  importId: string;
  operationId: string;
  isDryRun: boolean;
}

/**
 * SQL: whether somebody has changed the entity since the import, by the events of other requests. A request id can be
 * used again, so the events of the import's are its own only until it ended.
 */
const isEdited = (id: string): string => `EXISTS (SELECT 1 FROM events e
  WHERE e.entity_id = ${id} AND e.type <> 'task.unblocked'
    AND NOT (e.request_id IS NOT DISTINCT FROM op.request_id AND e.occurred_at <= coalesce(op.finished_at, 'infinity'))
    AND NOT (e.request_id IS NOT DISTINCT FROM un.request_id AND e.occurred_at >= un.created_at))`;

/**
 * SQL: whether an entity keeps the one that it belongs to. What the import created itself is deleted before; a dry run
 * deletes nothing, and looks whether it would be.
 */
const holds = (id: string): string => `(NOT $3::boolean OR ${isEdited(id)} OR NOT EXISTS (
  SELECT 1 FROM import_results own WHERE own.import_id = r.import_id AND own.entity_id = ${id} AND own.outcome = 'created'))`;

const REASON = `CASE WHEN r.outcome = 'updated' THEN 'changed'
  WHEN x.deleted_at IS NOT NULL THEN 'gone'
  WHEN x.kind <> ALL($4::text[]) THEN 'kind'
  WHEN ${isEdited('x.id')} THEN 'edited'
  WHEN EXISTS (SELECT 1 FROM entities c WHERE c.parent_id = x.id AND c.deleted_at IS NULL AND ${holds('c.id')})
    OR EXISTS (SELECT 1 FROM task_states t WHERE t.demand_id = x.id AND ${holds('t.id')})
    OR EXISTS (SELECT 1 FROM iteration_members m WHERE m.iteration_id = x.id AND ${holds('m.id')}) THEN 'contents'
  WHEN EXISTS (SELECT 1 FROM current_relations l
    WHERE x.id IN (l.source_entity_id, l.target_entity_id) AND ${holds('l.id')}) THEN 'tied' END`;

const THINGS = `SELECT x.id, x.kind, x.title, ${REASON} AS reason
  FROM import_results r JOIN imports i ON i.id = r.import_id ${joinOperation('op', 'i.operation_id')}
  ${joinOperation('un', '$2')} JOIN entities x ON x.id = r.entity_id
  WHERE r.import_id = $1`;

/** Reads what an import did, and what has become of it. */
@Injectable()
export class ImportUndoRepository {
  constructor(private readonly database: Database) {}

  async find(importId: string): Promise<UndoneImport | undefined> {
    return this.database.one<UndoneImport>(
      `SELECT i.operation_id AS "operationId", i.endeavour_id AS "endeavourId", i.organization_id AS "organizationId",
         i.is_dry_run AS "isDryRun", op.finished_at IS NOT NULL AS "isFinished",
         (SELECT count(*)::integer FROM import_results r WHERE r.import_id = i.id AND r.outcome = 'created') AS created
       FROM imports i ${joinOperation('op', 'i.operation_id')} WHERE i.id = $1`,
      [importId],
    );
  }

  /** Returns the next created things after those that stay, the ones that belong to others first. */
  next(run: UndoRun, stayed: number, limit: number): Promise<ImportedThing[]> {
    return this.database.query<ImportedThing>(
      `${THINGS} AND r.outcome = 'created'
       ORDER BY array_position($4::text[], x.kind), x.id DESC OFFSET $5 LIMIT $6`,
      [...parametersOf(run), stayed, limit],
    );
  }

  /** Returns how many things stay for each reason, null for those that can be deleted. */
  async count(run: UndoRun): Promise<Map<StayReason | null, number>> {
    const rows = await this.database.query<{ reason: StayReason | null; count: number }>(
      `SELECT s.reason, count(*)::integer AS count FROM (${THINGS}) s GROUP BY s.reason`,
      parametersOf(run),
    );
    return new Map(rows.map(({ reason, count }) => [reason, count]));
  }

  /** Returns the first things that stay. */
  stays(run: UndoRun, limit: number): Promise<ImportedThing[]> {
    return this.database.query<ImportedThing>(
      `SELECT * FROM (${THINGS}) s WHERE s.reason IS NOT NULL ORDER BY s.id LIMIT $5`,
      [...parametersOf(run), limit],
    );
  }

  /** Forgets results whose entities were deleted but keep their rows. */
  async forget(importId: string, ids: readonly string[]): Promise<void> {
    await this.database.query(`DELETE FROM import_results r WHERE r.import_id = $1 AND r.entity_id = ANY($2::text[])`, [
      importId,
      ids,
    ]);
  }
}

const parametersOf = ({ importId, operationId, isDryRun }: UndoRun): unknown[] => [
  importId,
  operationId,
  isDryRun,
  DELETED_KINDS,
];
