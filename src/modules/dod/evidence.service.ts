import { Injectable } from '@nestjs/common';
import type { JsonRecord } from '../../common/json.js';
import { Database } from '../../platform/database/database.js';
import { hashOf } from '../approvals/approved-content.js';
import type { Condition, TaskFacts } from './conditions/condition.js';

/** A task by the names of its columns. */
export type TaskRow = JsonRecord & { id: string };

type Gathered = Omit<TaskFacts, 'task' | 'authors'> & { id: string; team: string[] };

interface Source {
  /** The types of conditions that ask for it. */
  for: readonly string[];
  /** SQL for the fact of the task `w (id, assignee_id, task)`. */
  sql: string;
  /** What there is where nobody asks. */
  none: '[]' | '{}';
}

/** The rows behind `FROM` as a list of facts, the newest first. */
const list = (fact: string, rows: string, newest: string): string =>
  `SELECT json_agg(${fact} ORDER BY ${newest}) FROM ${rows}`;

const SOURCES: Record<keyof Omit<Gathered, 'id'>, Source> = {
  team: {
    for: ['peer_review'],
    sql: `SELECT json_agg(m.resource_id) FROM team_members m WHERE m.team_id = w.assignee_id`,
    none: '[]',
  },
  approvals: {
    for: ['peer_review', 'stakeholder_sign_off'],
    // Approved is what the task says as it is judged: a patch that changes it while closing finds them stale.
    sql: list(
      `json_build_object('id', a.id, 'approver_id', a.approver_id, 'verdict', a.verdict, 'role', a.role)`,
      `approvals a WHERE a.entity_id = w.id AND a.is_current
         AND a.content_hash = (SELECT ${hashOf('task')} FROM jsonb_populate_record(NULL::tasks, w.task) own)`,
      'a.created_at DESC, a.id DESC',
    ),
    none: '[]',
  },
  comments: {
    for: ['comment_required'],
    sql: list('c.id', `comments c WHERE c.entity_id = w.id AND c.deleted_at IS NULL`, 'c.created_at DESC, c.id DESC'),
    none: '[]',
  },
  artifacts: {
    for: ['tests_pass'],
    sql: list(
      `json_build_object('id', a.id, 'tags', a.tags, 'result', a.metadata->'result')`,
      `artifacts a WHERE a.deleted_at IS NULL AND (a.task_id = w.id OR EXISTS (SELECT 1 FROM relations l
         WHERE l.deleted_at IS NULL AND ((l.source_entity_id, l.target_entity_id) = (w.id, a.id)
           OR (l.source_entity_id, l.target_entity_id) = (a.id, w.id))))`,
      'a.created_at DESC, a.id DESC',
    ),
    none: '[]',
  },
  secondsIn: {
    for: ['time_in_status'],
    sql: `SELECT json_object_agg(stay.status, stay.seconds) FROM (
      SELECT s.status, sum(extract(epoch FROM coalesce(s.left_at, clock_timestamp()) - s.entered_at)) AS seconds
      FROM task_statuses s WHERE s.task_id = w.id GROUP BY s.status) stay`,
    none: '{}',
  },
  results: {
    for: ['custom_check'],
    sql: list(
      `json_build_object('id', r.id, 'name', r.name, 'passed', r.passed, 'detail', r.detail)`,
      `(SELECT DISTINCT ON (r.name) r.* FROM dod_results r WHERE r.task_id = w.id ORDER BY r.name, r.created_at DESC, r.id DESC) r`,
      'r.created_at DESC',
    ),
    none: '[]',
  },
};

/** Gathers what conditions are judged by: for any number of tasks in one statement, and nothing that nobody asks for. */
@Injectable()
export class Evidence {
  constructor(private readonly database: Database) {}

  async of(tasks: readonly TaskRow[], conditions: readonly Condition[]): Promise<TaskFacts[]> {
    const types = new Set(conditions.map(({ type }) => type));
    const facts = Object.entries(SOURCES).map(([name, source]) => {
      const isAsked = source.for.some((type) => types.has(type));
      const fallback = `'${source.none}'::json`;
      return `${isAsked ? `coalesce((${source.sql}), ${fallback})` : fallback} AS "${name}"`;
    });
    const gathered = await this.database.query<Gathered>(
      `SELECT w.id, ${facts.join(', ')} FROM (
         SELECT task->>'id' AS id, task->>'assignee_id' AS assignee_id, task FROM jsonb_array_elements($1::jsonb) task) w`,
      [JSON.stringify(tasks.map(({ metadata: _metadata, ...task }) => task))],
    );
    const byId = new Map(gathered.map((row) => [row.id, row]));
    return tasks.map((task) => factsOf(task, byId.get(task.id)));
  }
}

function factsOf(task: TaskRow, gathered: Gathered | undefined): TaskFacts {
  if (gathered === undefined) throw new Error('every task has its facts');
  const { id: _id, team, ...facts } = gathered;
  const people = [task.creator_id, task.assignee_id, ...team];
  return { ...facts, task, authors: people.filter((id) => typeof id === 'string') };
}
