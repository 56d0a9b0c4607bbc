import { Injectable } from '@nestjs/common';
import {
  ENDEAVOURS_WITH_POLICY,
  joinPolicyInForce,
  POLICIES_IN_FORCE,
} from '../../access/visibility/containers.view.js';
import type { Caller } from '../../access/authentication/caller.js';
import { answersFor } from '../../access/visibility/people.view.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { Database } from '../../platform/database/database.js';
import type { ListDefinition, ListRequest } from '../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../platform/listing/list-condition.js';
import { deriveDueDates } from '../demands/derived-due-dates.view.js';
import type { DeriveDates, WorkPosition } from '../endeavours/dates/dated-work.js';
import type { WorkPeople } from '../resources/assignments/work-roles.js';
import type { AttestableCondition } from './completion/attestation.rules.js';
import { isAuthorOf } from './assignees/task-authors.view.js';
import { Task } from './task.entity.js';
import { containing } from './parts/task-parts.view.js';

/** The number of tasks by status. */
export type TaskSummary = { total: number } & Record<TaskStatus, number>;

/** The hours of a task, and whose they are as long as they are not logged. */
export type HoursOfTask = Pick<Task, 'actual' | 'assigneeId' | 'ownerId' | 'startedAt' | 'loggedMinutes'>;

/** A task by column name, without columns that only the database reads. */
export type TaskRow = JsonRecord & { id: string };

/** Which of the large parts of tasks are read. */
export interface TaskParts {
  columns: readonly string[];
  /** The keys of metadata to read; all are if `columns` contains `metadata`. */
  metadataKeys: readonly string[];
}

/** The maximum number of rows per statement. A row with everything can have a few hundred kilobytes. */
export const ROWS_AT_ONCE = 100;

/** The columns that can be large, which are read for many tasks only if they are named. */
export const LARGE_COLUMNS = ['description', 'canceled_reason', 'metadata'];

const COUNTS = TASK_STATUSES.map(
  (status) => `count(*) FILTER (WHERE t.status = '${status}')::integer AS ${status}`,
).join(', ');

/** SQL for the row of the task `t`, without columns that only the database reads. */
const ROW = `to_jsonb(t) - '{words,content_changes}'::text[]`;

/** SQL for the metadata of the task `t` that have the keys `$2`. */
const METADATA_KEYS = `jsonb_build_object('metadata', (SELECT coalesce(jsonb_object_agg(m.key, m.value), '{}')
  FROM jsonb_each(t.metadata) m WHERE m.key = ANY($2::text[])))`;

/** Reads and writes tasks and their history. */
@Injectable()
export class TasksRepository {
  constructor(private readonly database: Database) {}

  /** Derives the due dates of the next tasks of an endeavour; undefined if there are no more. */
  deriveDueDates: DeriveDates = ({ id, timezone, isConverted }, after, limit) =>
    this.database.one<WorkPosition>(deriveDueDates('tasks'), [
      id,
      timezone,
      isConverted,
      after?.createdAt ?? null,
      after?.id ?? null,
      limit,
    ]);

  read(id: string): Promise<Task> {
    return this.database.row(Task, id);
  }

  /** The revision of the task; undefined if it was erased. */
  async revisionOf(id: string): Promise<number | undefined> {
    const row = await this.database.one<{ revision: number }>('SELECT revision FROM tasks WHERE id = $1', [id]);
    return row?.revision;
  }

  /** Counts the tasks that match the request, read as that list describes, and are visible to the caller, by status. */
  async countByStatus(me: Caller, list: ListDefinition, request: ListRequest): Promise<TaskSummary> {
    const p = new ListStatement(me);
    const row = await this.database.one<TaskSummary>(
      `SELECT count(*)::integer AS total, ${COUNTS} FROM tasks t WHERE ${conditionOf(list, request, me, p)}`,
      p.values,
    );
    if (row === undefined) throw new Error('the count returned no row');
    return row;
  }

  /** Those of the tasks whose parent in their endeavour is not this one; with null, those that have one. */
  async withOtherParent(ids: readonly string[], parentId: string | null): Promise<Set<string>> {
    const isPart = `SELECT 1 ${containing('t.id', 't.endeavour_id')} AND ($2::text IS NULL OR whole.id = $2)`;
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM tasks t WHERE t.id = ANY($1::text[]) AND EXISTS (${isPart}) = ($2::text IS NULL)`,
      [ids, parentId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async isInEndeavour(id: string, endeavourId: string): Promise<boolean> {
    const row = await this.database.one('SELECT 1 FROM tasks WHERE id = $1 AND endeavour_id = $2', [id, endeavourId]);
    return row !== undefined;
  }

  /** Locks the tasks until the transaction ends, in the order of their ids; returns their hours. */
  lockHours(ids: readonly string[]): Promise<Pick<Task, 'id' | 'actual' | 'endeavourId'>[]> {
    return this.database.query(
      `SELECT id, actual, endeavour_id AS "endeavourId" FROM tasks WHERE id = ANY($1::text[])
       ORDER BY id FOR NO KEY UPDATE`,
      [ids],
    );
  }

  /** The hours of the tasks, and their people, by id. */
  async hoursOf(ids: readonly string[]): Promise<Map<string, HoursOfTask>> {
    const rows = await this.database.query<HoursOfTask & { id: string }>(
      `SELECT id, actual, assignee_id AS "assigneeId", owner_id AS "ownerId", started_at AS "startedAt",
         logged_minutes AS "loggedMinutes" FROM tasks WHERE id = ANY($1::text[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Locks the task until the transaction ends; returns its status and its people, undefined if it does not exist. */
  lock(id: string): Promise<(WorkPeople & { status: TaskStatus }) | undefined> {
    return this.database.one(
      `SELECT status, owner_id AS "ownerId", creator_id AS "creatorId", assignee_id AS "assigneeId"
       FROM tasks WHERE id = $1 FOR KEY SHARE`,
      [id],
    );
  }

  /** Whether the resource is an author of the task; the approval of an author does not count as a review. */
  async isAuthor(id: string, resourceId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM tasks t ${joinPolicyInForce('t.endeavour_id')}
       WHERE t.id = $1 AND ${isAuthorOf('t', 'p.conditions', '$2')}`,
      [id, resourceId],
    );
    return row !== undefined;
  }

  async endeavourOf(id: string): Promise<string> {
    const row = await this.database.one<{ id: string }>('SELECT endeavour_id AS id FROM tasks WHERE id = $1', [id]);
    if (row === undefined) throw new Error(`task ${id} does not exist`);
    return row.id;
  }

  /** Whether the current assignee was assigned by a person other than the one behind the resource. */
  async isAssignedByOther(id: string, resourceId: string): Promise<boolean> {
    const assignment = await this.database.one<{ byMe: boolean | null }>(
      `SELECT ${answersFor('$2', 'assigned_by', ['assigned_at', 'assigned_at'])} AS "byMe" FROM task_assignments
       WHERE task_id = $1 AND ended_at IS NULL`,
      [id, resourceId],
    );
    return assignment !== undefined && assignment.byMe !== true;
  }

  /** The hours that each of these tasks has been active; tasks that never were are absent. */
  async hoursActive(ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ id: string; hours: number }>(
      `SELECT task_id AS id, sum(extract(epoch FROM coalesce(left_at, clock_timestamp()) - entered_at))::float8 / 3600 AS hours
       FROM task_statuses WHERE task_id = ANY($1::text[]) AND status = 'active' AND NOT imported GROUP BY task_id`,
      [ids],
    );
    return new Map(rows.map(({ id, hours }) => [id, hours]));
  }

  /** Whether approvals in the endeavour cover any of these parts of a task (see `changedParts`). */
  async areApproved(endeavourId: string, parts: readonly string[]): Promise<boolean> {
    const row = await this.database.one<{ approved: boolean }>(
      `SELECT approved_parts(p.conditions) && $2 AS approved
       FROM ${ENDEAVOURS_WITH_POLICY} WHERE e.id = $1`,
      [endeavourId, parts],
    );
    return row?.approved === true;
  }

  /** The conditions that the policy of the endeavour asks to attest. */
  attestableConditions(endeavourId: string): Promise<AttestableCondition[]> {
    return this.database.query<AttestableCondition>(
      `SELECT c->>'id' AS id, c->>'label' AS label, c->'params'->>'prompt' AS prompt
       FROM ${POLICIES_IN_FORCE}, jsonb_array_elements(p.conditions) c
       WHERE e.id = $1 AND c->>'type' = 'manual_attestation'`,
      [endeavourId],
    );
  }

  /** Makes the overrides for a policy count for its copy, which has replaced it in the endeavour. */
  async carryOverrides(endeavourId: string, policyId: string, copyId: string): Promise<void> {
    await this.database.query(
      `UPDATE tasks SET dod_override_policy_id = $3 WHERE endeavour_id = $1 AND dod_override_policy_id = $2`,
      [endeavourId, policyId, copyId],
    );
  }

  /** Renews the next tasks of a release without effective priorities; returns whether there may be more. */
  async renewPriorities(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT renew_task_priorities($1) AS more', [limit]);
    return row?.more === true;
  }

  /** Gives the items of the next checklists of a release without ids theirs; returns whether there may be more. */
  async renewChecklists(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT renew_checklists($1) AS more', [limit]);
    return row?.more === true;
  }

  async row(id: string): Promise<TaskRow> {
    const row = await this.database.one<{ task: TaskRow }>(`SELECT ${ROW} AS task FROM tasks t WHERE t.id = $1`, [id]);
    if (row === undefined) throw new Error(`task ${id} does not exist`);
    return row.task;
  }

  /** The tasks with these ids, in the order of the ids; `ROWS_AT_ONCE` at most. */
  rows(ids: readonly string[], parts: TaskParts): Promise<TaskRow[]> {
    return this.rowsWhere('t.id = ANY($3::text[])', parts, [ids]);
  }

  /** The next `ROWS_AT_ONCE` tasks of the endeavour with one of these statuses, by id. */
  nextRows(
    endeavourId: string,
    statuses: readonly TaskStatus[],
    afterId: string,
    parts: TaskParts,
  ): Promise<TaskRow[]> {
    const where = 't.endeavour_id = $3 AND t.status = ANY($4::text[]) AND t.id > $5';
    return this.rowsWhere(where, parts, [endeavourId, statuses, afterId]);
  }

  private async rowsWhere(
    where: string,
    { columns, metadataKeys }: TaskParts,
    parameters: unknown[],
  ): Promise<TaskRow[]> {
    const omitted = LARGE_COLUMNS.filter((column) => !columns.includes(column));
    const rows = await this.database.query<{ task: TaskRow }>(
      `SELECT ${METADATA_KEYS} || (${ROW} - $1::text[]) AS task FROM tasks t WHERE ${where} ORDER BY t.id LIMIT ${ROWS_AT_ONCE}`,
      [omitted, metadataKeys, ...parameters],
    );
    return rows.map(({ task }) => task);
  }
}
