import { Injectable } from '@nestjs/common';
import { feedEntries } from '../activity/feed-entries.view.js';
import { joinNewMentions } from '../comments/comment-mentions.view.js';
import { hasVotedOn, isVotedOn } from '../resources/quorum-votes.view.js';
import { nextDueTasks } from '../tasks/pending-tasks.view.js';
import { joinTask } from '../tasks/task-references.view.js';
import { joinWatchers } from '../watches/watch.view.js';
import { isSignOffAwaited, joinAwaitedSignOffs } from '../work/awaited-verdicts.view.js';
import { countTeamMembers, joinTeamMembers, joinUser, joinUserOf } from '../../access/people.view.js';
import { joinEndeavour } from '../../access/containers.view.js';
import { ENDEAVOUR_ROLES, rankOf } from '../../common/roles.js';
import { DEFAULT_WAY } from '../../common/notifications.js';
import { Database } from '../../platform/database/database.js';

const MEMBER = rankOf('member');

/**
 * After an event with which a statement has so many recipients, the next statement goes on: events about large teams must
 * not make it longer than statements may take, and stop the notifications of everybody.
 */
const MAX_RECIPIENTS = 4_000;

/** SQL: at least as many people as the event of the feed can concern, counted up to the limit. */
const RECIPIENTS = `1 + coalesce(cardinality(v.audience), 0) + ${countTeamMembers(
  `ARRAY[v.data->>'assignee_id', v.data->>'owner_id', v.previous->>'owner_id', v.data->>'team_id'] || v.audience
    || CASE WHEN f.type = 'task.review_requested' THEN ARRAY(SELECT json_array_elements_text(v.data->'resource_ids')) END`,
  MAX_RECIPIENTS,
)}
  + CASE WHEN f.type = 'dod.checked' AND ${isSignOffAwaited("v.data->>'task_id'")}
    THEN (SELECT count(*) FROM (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = v.endeavour_id
      LIMIT ${MAX_RECIPIENTS}) counted) ELSE 0 END
  + (SELECT count(*) FROM (SELECT 1 FROM current_watches w
      WHERE w.entity_id = ANY(ARRAY[f.entity_id, v.data->>'entity_id', v.endeavour_id]) LIMIT ${MAX_RECIPIENTS}) counted)`;

/** SQL: the events of one request that concern the same person by the same reason. */
const SAME_ACT = `PARTITION BY v.request_id, f.actor_id, f.type, v.endeavour_id, v.data->>'assignee_id',
  'assignee_id' = ANY(v.changed), 'owner_id' = ANY(v.changed)`;

/**
 * SQL: the next events of the feed, each with whether an import wrote it, and with the endeavour that stands for it if its
 * request did the same to several entities (a bulk change or a batch).
 */
const ENTRIES = `
  SELECT next.* FROM (
    SELECT f.sequence, f.event_sequence, f.type, f.entity_id, f.actor_id, f.occurred_at, v.data, v.previous, v.changed, v.audience, v.endeavour_id, v.transaction,
      CASE WHEN v.request_id IS NOT NULL AND min(f.entity_id) OVER (${SAME_ACT}) <> max(f.entity_id) OVER (${SAME_ACT})
        THEN v.endeavour_id END AS group_id,
      EXISTS (SELECT 1 FROM import_requests i WHERE i.request_id = v.request_id AND i.actor_id = v.actor_id
        AND v.occurred_at >= i.created_at
        AND (i.finished_at IS NULL OR v.occurred_at <= i.finished_at)) AS is_imported,
      sum(${RECIPIENTS}) OVER (ORDER BY f.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS recipients_before
    FROM ${feedEntries('f', 'v')} WHERE f.sequence > $1 ORDER BY f.sequence LIMIT $2) next
  WHERE coalesce(next.recipients_before, 0) < ${MAX_RECIPIENTS}`;

const raisedBy = (
  kind: string,
  person: string,
  { entity = 'e.entity_id', source = 'NULL', from = 'single_entries' } = {},
): string =>
  `SELECT e.sequence, '${kind}' AS kind, coalesce(e.group_id, ${entity}) AS entity_id, ${person} AS person,
     CASE WHEN e.group_id IS NULL THEN ${source} END AS source_id,
     e.actor_id, e.occurred_at FROM ${from} e`;

const IS_ASSIGNED = `e.type LIKE 'task.%' AND (e.type = 'task.created' OR 'assignee_id' = ANY(e.changed))
  AND e.data->>'status' IN ('planned', 'active')`;

/** SQL: the audience of comments or verdicts on an entity. */
const raisedForAudience = (type: string, kind: string): string => `
  ${raisedBy(kind, 'a.resource_id', { entity: `e.data->>'entity_id'`, source: 'e.entity_id' })}
    CROSS JOIN unnest(e.audience) a (resource_id) WHERE e.type = '${type}'`;

/** SQL: what an event of a watched entity is about. */
const WATCHED = `CASE WHEN e.type IN ('comment.created', 'approval.created') THEN e.data->>'entity_id' ELSE e.entity_id END`;

/**
 * SQL: those who watched what changed, or its endeavour, when it changed, and are not notified of it for another reason. Events are
 * read a while after they occurred, and by then others may have begun to watch.
 */
const WATCHERS = `
  ${raisedBy('watching', 'w.resource_id', { entity: WATCHED, source: `CASE WHEN e.type = 'comment.created' THEN e.entity_id END` })}
    ${joinWatchers('w', `ARRAY[${WATCHED}, e.endeavour_id]`)}
  WHERE e.type IN ('task.created', 'demand.created', 'task.status_changed', 'demand.status_changed',
      'endeavour.status_changed', 'comment.created', 'approval.created')
    AND w.created_at <= e.occurred_at
    AND (e.type NOT IN ('comment.created', 'approval.created') OR w.resource_id <> ALL(coalesce(e.audience, '{}')))`;

/** SQL: the people whose sign-off the latest check lacked; authors of the task only if their sign-off counts. */
const SIGN_OFF = `
  ${raisedBy('review_wanted', 'u.resource_id', { entity: 'w.task_id' })}
    ${joinAwaitedSignOffs('w', "e.data->>'task_id'")}
    ${joinTask('t', 'w.task_id')}
    CROSS JOIN LATERAL (SELECT g.user_id, max(g.rank) AS rank FROM endeavour_grants g
      WHERE g.endeavour_id = w.endeavour_id AND g.rank >= ${MEMBER} GROUP BY 1) own
    ${joinUser('u', 'own.user_id')}
    LEFT JOIN endeavour_members m ON m.endeavour_id = w.endeavour_id AND m.user_id = own.user_id
    CROSS JOIN LATERAL (
      SELECT ('{${ENDEAVOUR_ROLES.join(',')}}'::text[])[1:own.rank] || coalesce(m.stakeholder_roles, '{}') AS roles) held
  WHERE e.type = 'dod.checked' AND (w.author_roles && held.roles
    OR (w.roles && held.roles AND t.creator_id <> u.resource_id AND t.assignee_id IS DISTINCT FROM u.resource_id))`;

/** SQL: the recipients and reasons of each event of `entries`; teams are replaced by their members later. */
const RAISED = [
  `${raisedBy('assigned', `e.data->>'assignee_id'`)} WHERE ${IS_ASSIGNED}`,
  // Tasks that an import assigns cause one notification about the endeavour; other imported events cause none.
  `${raisedBy('assigned', `e.data->>'assignee_id'`, { entity: 'e.endeavour_id', from: 'entries' })}
   WHERE e.is_imported AND ${IS_ASSIGNED}`,
  `${raisedBy('owner_changed', 'owner.id')}
     CROSS JOIN unnest(ARRAY[e.data->>'owner_id', e.previous->>'owner_id']) owner (id)
   WHERE (e.type LIKE 'task.%' OR e.type LIKE 'demand.%') AND 'owner_id' = ANY(e.changed)`,
  `${raisedBy('review_wanted', 'asked.id')}
     CROSS JOIN json_array_elements_text(e.data->'resource_ids') asked (id) WHERE e.type = 'task.review_requested'`,
  SIGN_OFF,
  // Those whose verdicts a done task rested on, when its approved content changes.
  `${raisedBy('review_wanted', 'asked.id')}
     CROSS JOIN json_array_elements_text(e.data->'approver_ids') asked (id) WHERE e.type = 'dod.changed'`,
  raisedForAudience('approval.created', 'verdict'),
  raisedForAudience('comment.created', 'comment'),
  // An edit concerns the audience of the comment again; only the people whom it mentions for the first time are notified,
  // unless an earlier write of the same transaction, such as a batch, has notified them.
  `${raisedBy('comment', 'm.resource_id', { entity: `e.data->>'entity_id'`, source: 'e.entity_id' })}
     ${joinNewMentions('m', 'e')} WHERE e.type = 'comment.updated' AND NOT EXISTS (
       SELECT 1 FROM events earlier WHERE earlier.entity_id = e.entity_id AND earlier.transaction = e.transaction
         AND earlier.sequence < e.event_sequence
         AND (earlier.type = 'comment.updated' OR m.resource_id = ANY(earlier.audience)))`,
  WATCHERS,
  `${raisedBy('vote_wanted', 'm.resource_id')}
     ${joinTeamMembers('m', "e.data->>'team_id'")}
   WHERE e.type IN ('task.voted', 'demand.voted')
     AND ${isVotedOn('e.entity_id')} AND NOT ${hasVotedOn('e.entity_id', 'm.resource_id')}`,
  `${raisedBy('invitation', 'u.resource_id')}
     JOIN invited_users i ON i.invitation_id = e.entity_id ${joinUser('u', 'i.user_id')}
   WHERE e.type = 'invitation.created'`,
];

const nextDue = (lead: string, condition: string): string =>
  nextDueTasks(lead, { from: ['$1::timestamptz', '$4::text'], to: '$2::timestamptz', limit: '$5' }, condition);

/** SQL: the next tasks that became overdue, or due within a day, with the assignee, or the owner if there is none. */
const DUE_ENTRIES = `
  SELECT next.* FROM (
    SELECT d.*, sum(1 + ${countTeamMembers('ARRAY[d.person]', MAX_RECIPIENTS)})
      OVER (ORDER BY d.at, d.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS recipients_before
    FROM (${nextDue(`interval '0'`, 'true')} UNION ALL ${nextDue(`interval '1 day'`, 't.due_date >= $2::timestamptz')}
      ORDER BY at, id LIMIT $5) d) next
  WHERE coalesce(next.recipients_before, 0) < ${MAX_RECIPIENTS}`;

const DUE = `
  SELECT row_number() OVER (ORDER BY d.at, d.id) AS sequence, 'due' AS kind, d.id AS entity_id, d.person,
    NULL AS source_id, NULL AS actor_id, $2::timestamptz AS occurred_at
  FROM entries d ${joinEndeavour('e', 'd.endeavour_id')} AND e.status <> 'archived'`;

/**
 * SQL: writes one notification for each user, entity and day. It keeps all reasons until the user reads it. A later
 * event of the day makes it unread again, but causes no second mail. Agents get no notifications, because they follow
 * the feed.
 */
const notify = (raised: string): string => `
  raised AS MATERIALIZED (${raised}),
  meant AS (
    SELECT r.*, u.id AS user_id, (r.occurred_at AT TIME ZONE 'UTC')::date AS day, x.kind AS entity_type,
      coalesce(u.notify->>r.kind, '${DEFAULT_WAY}') AS way
    FROM (
      SELECT one.sequence, one.kind, one.entity_id, one.person, one.source_id, one.actor_id, one.occurred_at FROM raised one
      UNION SELECT one.sequence, one.kind, one.entity_id, m.resource_id, one.source_id, one.actor_id, one.occurred_at
        FROM raised one ${joinTeamMembers('m', 'one.person')}) r
    ${joinUserOf('u', 'r.person')} AND u.status = 'active' AND u.user_type = 'human'
    JOIN entities x ON x.id = r.entity_id AND x.deleted_at IS NULL
    WHERE r.actor_id IS DISTINCT FROM r.person),
  written AS (
    INSERT INTO notifications AS n (id, user_id, entity_id, entity_type, day, kinds, count, actor_id, source_id, occurred_at, mail_wanted_at)
    SELECT new_id('ntf'), user_id, entity_id, min(entity_type), day,
      ARRAY(SELECT k FROM unnest(array_agg(kind ORDER BY sequence, kind)) WITH ORDINALITY AS one (k, at) GROUP BY k ORDER BY min(at)),
      count(DISTINCT sequence), (array_agg(actor_id ORDER BY sequence DESC))[1],
      (array_agg(source_id ORDER BY sequence DESC))[1], max(occurred_at),
      CASE WHEN bool_or(way = 'mail') THEN $3::timestamptz END
    FROM meant WHERE way <> 'none' GROUP BY user_id, entity_id, day ORDER BY user_id, entity_id, day
    ON CONFLICT (user_id, entity_id, day) DO UPDATE SET
      kinds = CASE WHEN n.read_at IS NOT NULL THEN excluded.kinds
        ELSE n.kinds || ARRAY(SELECT k FROM unnest(excluded.kinds) k WHERE k <> ALL(n.kinds)) END,
      count = CASE WHEN n.read_at IS NOT NULL THEN excluded.count ELSE n.count + excluded.count END,
      actor_id = excluded.actor_id, source_id = excluded.source_id, occurred_at = excluded.occurred_at, read_at = NULL,
      mail_wanted_at = coalesce(n.mail_wanted_at, excluded.mail_wanted_at))`;

/**
 * Settings for the statements of {@link notify}: the planner expects thousands of rows for a few events, and would read
 * all entities, users and teams instead of looking up the needed ones. The costs that it then estimates would make the
 * server compile the plan first (jit), which takes longer than the statement may.
 */
const BY_INDEX =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off';

/** How far due dates were processed: up to this time, and tasks that are due exactly then up to this id. */
export interface DuePosition {
  at: Date;
  taskId: string;
}

/** Creates notifications from feed entries and due dates. */
@Injectable()
export class NotificationFeedRepository {
  constructor(private readonly database: Database) {}

  async position(): Promise<number> {
    const row = await this.database.one<{ position: number }>(
      'SELECT position::float8 AS position FROM notification_feed',
    );
    return row?.position ?? 0;
  }

  /** Locks the positions against other replicas until the end of the transaction, and returns them. */
  async lockPosition(): Promise<{ position: number; due: DuePosition }> {
    const row = await this.database.one<{ position: string; at: Date; taskId: string }>(
      'SELECT position, due_until AS at, due_task_id AS "taskId" FROM notification_feed FOR NO KEY UPDATE',
    );
    if (row === undefined) throw new Error('notification_feed has no row');
    return { position: Number(row.position), due: { at: row.at, taskId: row.taskId } };
  }

  /**
   * Creates notifications for the next entries after a sequence; returns the last entry, if any. Requires a separate
   * transaction, like {@link addDue}.
   */
  async addFromFeed(position: number, limit: number, now: Date): Promise<number | undefined> {
    await this.database.query(BY_INDEX);
    const row = await this.database.one<{ last: string | null }>(
      `WITH entries AS MATERIALIZED (${ENTRIES}), single_entries AS (SELECT * FROM entries WHERE NOT is_imported),
       ${notify(RAISED.join('\n UNION ALL '))},
       moved AS (UPDATE notification_feed SET position = (SELECT max(sequence) FROM entries) WHERE EXISTS (SELECT 1 FROM entries))
       SELECT max(sequence) AS last FROM entries`,
      [position, limit, now],
    );
    return row?.last == null ? undefined : Number(row.last);
  }

  /**
   * Creates notifications for the next tasks after the position that became overdue, or due within a day, before a time;
   * returns whether there may be more.
   */
  async addDue({ at, taskId }: DuePosition, to: Date, limit: number): Promise<boolean> {
    await this.database.query(BY_INDEX);
    const row = await this.database.one<{ hasMore: boolean }>(
      `WITH entries AS MATERIALIZED (${DUE_ENTRIES}), ${notify(DUE)},
       last AS (SELECT at, id FROM entries ORDER BY at DESC, id DESC LIMIT 1),
       moved AS (UPDATE notification_feed SET due_until = coalesce((SELECT at FROM last), $2::timestamptz),
         due_task_id = coalesce((SELECT id FROM last), ''))
       SELECT EXISTS (SELECT 1 FROM last) AS "hasMore"`,
      [at, to, to, taskId, limit],
    );
    return row?.hasMore === true;
  }
}
