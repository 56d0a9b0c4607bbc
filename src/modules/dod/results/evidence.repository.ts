import { Injectable } from '@nestjs/common';
import {
  canAct,
  leftJoinUserOf,
  peopleBehind,
  personBehind,
  rankToAct,
} from '../../../access/visibility/people.view.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { Database } from '../../../platform/database/database.js';
import { approversAmong } from '../../approvals/given-approvals.view.js';
import { artifactsOfTask } from '../../artifacts/task-artifacts.view.js';
import { newestComments } from '../../comments/newest-comments.view.js';
import { shownStage } from '../../endeavours/stages/stages.view.js';
import { everRelatedTo, isTiedIn, wasEverTied } from '../../relations/related-entities.view.js';
import { openEdgesOf } from '../../relations/task-edges.view.js';
import { authorsOf } from '../../tasks/assignees/task-authors.view.js';
import { completingCheckOf, hasChangedSince, isInRound, timeInStatuses } from '../../tasks/task-history.view.js';
import type { TaskRow } from '../../tasks/tasks.repository.js';
import { wireTime } from '../../../platform/database/views/view.js';
import type { Condition, TaskFacts } from '../conditions/condition.js';
import { MAX_COUNT } from '../conditions/params.js';
import { namedResources } from '../named-resources.view.js';

/** The evidence of a task, and the id of the stage in which it is shown. */
type EvidenceRow = Omit<TaskFacts, 'task'> & { id: string; shownStage: string | null };

interface Source {
  /** The condition types that need this evidence. */
  for: readonly string[];
  /** Those of them need it only for one of these fields. */
  fields?: readonly string[];
  /** SQL for the evidence of the task `w`; `$2` are the conditions, `$3` the content parts that a patch changes. */
  sql: string;
  /** The value if no condition needs the evidence. */
  none: '[]' | '{}' | 'null';
}

/** SQL: a list of facts, from the rows after `FROM`. */
const list = (fact: string, rows: string, order: string): string =>
  `SELECT json_agg(${fact} ORDER BY ${order}) FROM ${rows}`;

const REVIEWS = ['peer_review', 'stakeholder_sign_off'];
const STAGE_FIELDS = ['stage', 'stage_name'];
const EDGES = ['children_closed', 'not_blocked'];

/**
 * SQL: whether the content has changed since the approval `a`. A patch that changes content while it completes the task
 * makes the approval stale too.
 */
const isStale = `($3::text[] && approved_parts($2)
  OR ${hasChangedSince('w.id', 'approved_parts($2)', 'a.entity_revision')})`;

/** SQL: whether the artifact `a` belongs to the task, by itself or by a relation that a member of its endeavour made. */
const BELONGS = `(a.task_id = w.id
  OR (a.endeavour_id = w.endeavour_id AND ${isTiedIn('w.endeavour_id', ['w.id', 'a.id'])}))`;

/** SQL: whether the artifact `a` has ever belonged to the task, in whatever endeavours the two are or were. */
const HAS_BELONGED = `(a.task_id = w.id OR ${wasEverTied(['w.id', 'a.id'])})`;

const SOURCES: Record<keyof Omit<EvidenceRow, 'id'>, Source> = {
  authors: {
    for: [...REVIEWS, ...EDGES],
    sql: `SELECT json_agg(author.person) FROM ${authorsOf('w', '$2', 'author')}`,
    none: '[]',
  },
  approvals: {
    for: REVIEWS,
    sql: list(
      `json_build_object('id', a.id, 'approver_id', a.approver_id, 'people', ARRAY(SELECT ${peopleBehind('a.approver_id', ['a.created_at', 'a.created_at'])}), 'verdict', a.verdict, 'role', a.role,
         'role_held', a.role_held, 'stale', ${isStale}, 'in_round', ${isInRound('w', 'a.created_at')}, 'dismissed_by', a.dismissed_by,
         'was_member', a.was_member, 'is_lifted', a.lifted_at IS NOT NULL, 'ended_by', ${personBehind('a.ended_by')},
         'ended_by_author', a.ended_by_author, 'held_roles', coalesce(a.held_roles, '{}'),
         'kept_roles', coalesce(a.kept_roles, '{}'), 'was_author', a.was_author, 'giver_type', a.giver_type, 'user_type', u.user_type,
         'is_active', coalesce(${canAct('u')}, false),
         'rank', ${rankToAct('u', 'w.endeavour_id')},
         'stakeholder_roles', coalesce((SELECT m.stakeholder_roles FROM endeavour_members m
           WHERE m.endeavour_id = w.endeavour_id AND m.user_id = u.id), '{}'))`,
      `approvals a ${leftJoinUserOf('u', 'a.approver_id')} WHERE a.entity_id = w.id AND a.is_current`,
      'a.created_at DESC, a.id DESC',
    ),
    none: '[]',
  },
  comments: {
    for: ['comment_required'],
    sql: list('c.id', `${newestComments('w.id', MAX_COUNT)} c`, 'c.created_at DESC, c.id DESC'),
    none: '[]',
  },
  artifacts: {
    for: ['tests_pass'],
    // A passed result counts only while its artifact and relation exist. One that did not pass stays with the task, wherever
    // it moves and whatever becomes of the relation.
    sql: list(
      `json_build_object('id', a.id, 'tags', coalesce(a.evidence->'tags', to_jsonb(a.tags)), 'result', a.evidence->'result',
         'created_at', ${wireTime('a.created_at')})`,
      `${artifactsOfTask('a', 'w.id', everRelatedTo('w.id'))}
         AND CASE WHEN a.evidence IS NOT NULL AND a.evidence->>'result' IS DISTINCT FROM 'passed' THEN ${HAS_BELONGED}
             ELSE a.deleted_at IS NULL AND a.status = 'active' AND ${isInRound('w', 'a.created_at')}
               AND ${BELONGS} END`,
      'a.created_at DESC, a.id DESC',
    ),
    none: '[]',
  },
  secondsIn: {
    for: ['time_in_status'],
    sql: `SELECT json_object_agg(stay.status, stay.seconds) FROM ${timeInStatuses('w.id')} stay`,
    none: '{}',
  },
  openEdges: {
    for: EDGES,
    sql: list('row_to_json(edge)', `${openEdgesOf('w')} edge`, 'edge.id'),
    none: '[]',
  },
  namedResources: {
    for: ['custom_check'],
    sql: namedResources('$2'),
    none: '{}',
  },
  results: {
    for: ['custom_check'],
    sql: list(
      `json_build_object('id', r.id, 'name', r.name, 'passed', r.passed, 'detail', r.detail, 'posted_by', r.posted_by,
         'person_id', ${personBehind('r.posted_by')}, 'roles', r.roles)`,
      `(SELECT DISTINCT ON (r.name, r.posted_by, r.roles) r.* FROM dod_results r WHERE r.task_id = w.id
          AND ${isInRound('w', 'r.created_at')}
        ORDER BY r.name, r.posted_by, r.roles, r.created_at DESC, r.id DESC) r`,
      'r.created_at DESC, r.id DESC',
    ),
    none: '[]',
  },
  // A task from before the stages is shown in the first one of its status, which its row does not name.
  shownStage: {
    for: ['field_populated'],
    fields: STAGE_FIELDS,
    sql: `SELECT to_json(${shownStage('w')})`,
    none: 'null',
  },
};

/** Whether one of the conditions needs the evidence. */
const isNeeded = (source: Source, conditions: readonly Condition[]): boolean =>
  conditions.some(
    ({ type, params }) =>
      source.for.includes(type) && (source.fields === undefined || source.fields.includes(String(params.field))),
  );

/** Loads the evidence that the conditions need, in one statement for any number of tasks. */
@Injectable()
export class EvidenceRepository {
  constructor(private readonly database: Database) {}

  /**
   * `touched` are the content parts that the current patch changes (see `changedParts`); `changedBy` is the resource of
   * who sends it, which is needed if it moves the task.
   */
  async factsOf(
    tasks: readonly TaskRow[],
    conditions: readonly Condition[],
    { touched = [], changedBy = null }: { touched?: readonly string[]; changedBy?: string | null } = {},
  ): Promise<TaskFacts[]> {
    const facts = Object.entries(SOURCES).map(([name, source]) => {
      const fallback = `'${source.none}'::json`;
      return `${isNeeded(source, conditions) ? `coalesce((${source.sql}), ${fallback})` : fallback} AS "${name}"`;
    });
    const rows = await this.database.query<EvidenceRow>(
      `SELECT w.id, ${facts.join(', ')} FROM jsonb_to_recordset($1::jsonb)
         AS w (id text, creator_id text, assignee_id text, endeavour_id text, status text, stage text,
           round_started_at timestamptz, moved_by text)
       WHERE $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL`,
      [JSON.stringify(tasks.map((task) => parametersOf(task, changedBy))), JSON.stringify(conditions), touched],
    );
    const byId = new Map(rows.map(({ id, ...evidence }) => [id, evidence]));
    return tasks.map((task) => {
      const found = byId.get(task.id);
      if (found === undefined) throw new Error(`No evidence was read for the task ${task.id}.`);
      const { shownStage: stage, ...evidence } = found;
      return { ...evidence, task: isNeeded(SOURCES.shownStage, conditions) ? { ...task, stage } : task };
    });
  }

  /** The check with which the task was completed, and the people whose verdicts it rested on. */
  async lastCheckOf(taskId: string): Promise<{ checkId: string | null; approverIds: string[] }> {
    const row = await this.database.one<{ checkId: string; approverIds: string[] }>(
      `SELECT k.id AS "checkId", ${approversAmong('k.rested_on')} AS "approverIds"
       FROM dod_checks k WHERE k.id = ${completingCheckOf('$1')}`,
      [taskId],
    );
    return row ?? { checkId: null, approverIds: [] };
  }
}

const parametersOf = (
  { id, creator_id, assignee_id, endeavour_id, status, stage, round_started_at }: TaskRow,
  changedBy: string | null,
): JsonRecord => ({
  id,
  creator_id,
  assignee_id,
  endeavour_id,
  status,
  stage,
  round_started_at,
  moved_by: changedBy,
});
