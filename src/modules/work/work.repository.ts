import { Injectable } from '@nestjs/common';
import { joinEndeavour, timezoneOfEndeavour } from '../../access/visibility/containers.view.js';
import { joinResource, teamsOfResource } from '../../access/visibility/people.view.js';
import type { Caller } from '../../access/authentication/caller.js';
import { endeavoursOf } from '../../access/visibility/visibility.js';
import { ENDEAVOUR_ROLES, rankOf } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';
import { wireDate, type FieldNames } from '../../platform/database/views/view.js';
import { hasApproved, hasGivenVerdict } from '../approvals/given-approvals.view.js';
import { joinDemand } from '../demands/demand-references.view.js';
import { unreadQuestions } from '../messages/message-references.view.js';
import { hasJoinedVote, joinVotes } from '../resources/quorums/quorum-votes.view.js';
import { unclaimedRuns } from '../rituals/runs/unclaimed-runs.view.js';
import { activeOrReadyTasksOf } from '../tasks/completion/pending-tasks.view.js';
import { joinTask } from '../tasks/task-references.view.js';
import { MAX_TITLE_LENGTH, WORK_REASONS, type WorkReason } from './work.rules.js';

/** The maximum number of unread messages that are searched for questions. */
const MAX_UNREAD = 1_000;

const MEMBER = rankOf('member');

/** The caller and their teams. `$1` is the user, `$2` the resource, `$3` the limit. */
const MINE = `ARRAY(SELECT $2::text UNION ALL ${teamsOfResource('$2')})`;

const IN_OPEN_ENDEAVOUR = `${joinEndeavour('e', 'work.endeavour_id')} AND e.status <> 'archived'`;

/** Whether the caller is a member of the endeavour, and so may see requests of others. */
const IS_MEMBER = `EXISTS (SELECT 1 FROM endeavour_grants g
  WHERE g.endeavour_id = work.endeavour_id AND g.user_id = $1 AND g.rank >= ${MEMBER})`;

const DUE = 'work.due_date, work.due_day';
const NOT_DUE = 'NULL::timestamptz AS due_date, NULL::date AS due_day';

/** The key of a task or demand, in the endeavour `e`. */
const KEY = `e.key || '-' || work.number`;

const columns = (type: string, title: string, { key = 'NULL::text', due = NOT_DUE } = {}): string =>
  `${type} AS type, work.id, ${key} AS key, ${title} AS title, work.status, ${due}, work.endeavour_id`;

const TASK = columns(`'task'`, 'work.title', { key: KEY, due: DUE });
const FIRST = 'ORDER BY due_date NULLS LAST, id LIMIT $3';

/** Active and ready tasks of the caller and their teams. */
const assigned = (me: Caller): string => `
  SELECT ${TASK} FROM ${activeOrReadyTasksOf(MINE)} work ${IN_OPEN_ENDEAVOUR}
  WHERE ${isVisible(me, 'work')} ${FIRST}`;

/**
 * SQL: whether the caller sees the endeavour; administrators see all, but with a restricted token only its endeavours.
 */
const isVisible = ({ isAdmin }: Caller, work: string): string =>
  isAdmin
    ? `EXISTS (SELECT 1 FROM entities x WHERE x.id = ${work}.id AND x.deleted_at IS NULL)`
    : `${work}.endeavour_id IN (${endeavoursOf('$1')})`;

/** Unanswered review requests to the caller or one of their teams. */
const REVIEW_REQUESTED = `
  SELECT r.task_id FROM review_requests r
  WHERE r.resource_id = ANY(${MINE}) AND NOT ${hasGivenVerdict('r.task_id', 'r.resource_id', 'r.requested_at')}`;

/** The roles of the caller in each endeavour: their role and all lower ones, and stakeholder roles. */
const ROLES_OF_CALLER = `
  SELECT own.endeavour_id, ('{${ENDEAVOUR_ROLES.join(',')}}'::text[])[1:own.rank] || coalesce(m.stakeholder_roles, '{}') AS roles
  FROM (SELECT g.endeavour_id, max(g.rank) AS rank FROM endeavour_grants g WHERE g.user_id = $1 GROUP BY 1) own
    LEFT JOIN endeavour_members m ON m.endeavour_id = own.endeavour_id AND m.user_id = $1
  WHERE own.rank >= ${MEMBER}`;

/**
 * Tasks whose latest check lacked sign-offs that the caller can give and has not given for the current content. OFFSET 0
 * makes the planner look up the rows of each endeavour.
 */
const SIGN_OFF = `
  SELECT w.task_id FROM (${ROLES_OF_CALLER}) held CROSS JOIN LATERAL (
      SELECT * FROM awaited_verdicts a WHERE a.endeavour_id = held.endeavour_id AND a.roles && held.roles OFFSET 0) w
    ${joinTask('t', 'w.task_id')}
  WHERE (w.author_roles && held.roles OR (t.creator_id <> $2 AND NOT coalesce(t.assignee_id = ANY(${MINE}), false)))
    AND NOT ${hasApproved('w.task_id', '$2', 'w.roles')}`;

const verdict = (): string => `
  SELECT ${TASK} FROM (${REVIEW_REQUESTED} UNION ${SIGN_OFF}) wanted ${joinTask('work', 'wanted.task_id')} ${IN_OPEN_ENDEAVOUR}
  WHERE work.status IN ('planned', 'active') AND ${IS_MEMBER} ${FIRST}`;

/** Work of the caller's teams with votes for a change on which the caller has not voted. */
const voteOn = (kind: string, join: (alias: string, id: string) => string): string => `
  SELECT ${columns(`'${kind}'`, 'work.title', { key: KEY, due: DUE })} FROM (${teamsOfResource('$2')}) m
    ${joinResource('mine', '$2')} AND mine.status = 'active'
    ${joinResource('team', 'm.team_id')} AND team.quorum IS NOT NULL AND team.deleted_at IS NULL
    ${joinVotes('v', 'm.team_id')}
    ${join('work', 'v.entity_id')} AND work.owner_id = v.team_id ${IN_OPEN_ENDEAVOUR}
  WHERE ${IS_MEMBER} AND NOT ${hasJoinedVote('v', '$2')}
  GROUP BY work.id, e.id`;

const vote = (): string => `
  SELECT * FROM (${voteOn('task', joinTask)} UNION ALL ${voteOn('demand', joinDemand)}) moving ${FIRST}`;

const claim = (): string => `
  SELECT ${columns(`'ritual_run'`, 'r.name')} FROM ${unclaimedRuns('work', 'r')}
    ${IN_OPEN_ENDEAVOUR}
  WHERE work.endeavour_id IN (
    SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = $1 AND g.rank >= ${MEMBER})
  ${FIRST}`;

const question = (): string => `
  SELECT 'message' AS type, work.id, NULL::text AS key,
    coalesce(nullif(work.subject, ''), left(regexp_replace(left(work.content, 1000), '\\s+', ' ', 'g'), ${MAX_TITLE_LENGTH})) AS title,
    'delivered' AS status, ${NOT_DUE},
    CASE WHEN work.scope_type = 'endeavour' THEN work.scope_id END AS endeavour_id
  FROM ${unreadQuestions('work', '$1', MAX_UNREAD)}
  WHERE EXISTS (SELECT 1 FROM entities x WHERE x.id = work.id AND x.deleted_at IS NULL)
  ORDER BY work.id LIMIT $3`;

const SOURCES: Record<WorkReason, (me: Caller) => string> = { verdict, vote, claim, question, assigned };

/** SQL of the properties that are not a column of the sources. */
const COLUMNS: Readonly<Record<string, string>> = {
  title: `CASE WHEN char_length(w.title) > ${MAX_TITLE_LENGTH} THEN left(w.title, ${MAX_TITLE_LENGTH - 1}) || '…' ELSE w.title END`,
  due_date: wireDate({ instant: 'w.due_date', day: 'w.due_day', timezone: timezoneOfEndeavour('w.endeavour_id') }),
};

/** Reads the open work of a user. */
@Injectable()
export class WorkRepository {
  constructor(private readonly database: Database) {}

  /** The first items as JSON with the requested properties: by reason, in the order of `WORK_REASONS`, then by due date. */
  async firstItems(me: Caller, whys: readonly WorkReason[], limit: number, fields: FieldNames): Promise<string[]> {
    const parts = whys.map(
      (why) => `SELECT ${WORK_REASONS.indexOf(why)} AS step, '${why}' AS why, part.* FROM (${SOURCES[why](me)}) part`,
    );
    const row = await this.database.one<{ items: string[] }>(
      `SELECT ARRAY(
         SELECT (SELECT row_to_json(wire) FROM (SELECT ${fields.map((name) => `${COLUMNS[name] ?? `w.${name}`} AS ${name}`).join(', ')}) wire)::text
         FROM (${parts.join(' UNION ALL ')}) w
         WHERE $1::text IS NOT NULL AND $2::text IS NOT NULL
         ORDER BY w.step, w.due_date NULLS LAST, w.id LIMIT $3::integer) AS items`,
      [me.userId, me.resourceId, limit],
    );
    return row?.items ?? [];
  }
}
