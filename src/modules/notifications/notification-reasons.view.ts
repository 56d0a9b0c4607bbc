import { feedEntries } from '../activity/feed/feed-entries.view.js';
import { joinNewMentions } from '../comments/comment-mentions.view.js';
import { hasVotedOn, isVotedOn } from '../resources/quorums/quorum-votes.view.js';
import { nextDueTasks } from '../tasks/completion/pending-tasks.view.js';
import { joinTask } from '../tasks/task-references.view.js';
import { joinWatchers } from '../watches/watch.view.js';
import { isSignOffAwaited, joinAwaitedSignOffs } from '../work/awaited-verdicts.view.js';
import { countTeamMembers, joinTeamMembers, joinUser } from '../../access/visibility/people.view.js';
import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { ENDEAVOUR_ROLES, rankOf } from '../../common/roles.js';

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
export const ENTRIES = `
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
export const RAISED = [
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
export const DUE_ENTRIES = `
  SELECT next.* FROM (
    SELECT d.*, sum(1 + ${countTeamMembers('ARRAY[d.person]', MAX_RECIPIENTS)})
      OVER (ORDER BY d.at, d.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS recipients_before
    FROM (${nextDue(`interval '0'`, 'true')} UNION ALL ${nextDue(`interval '1 day'`, 't.due_date >= $2::timestamptz')}
      ORDER BY at, id LIMIT $5) d) next
  WHERE coalesce(next.recipients_before, 0) < ${MAX_RECIPIENTS}`;

/** SQL: the recipients of these tasks, except in archived endeavours. */
export const DUE = `
  SELECT row_number() OVER (ORDER BY d.at, d.id) AS sequence, 'due' AS kind, d.id AS entity_id, d.person,
    NULL AS source_id, NULL AS actor_id, $2::timestamptz AS occurred_at
  FROM entries d ${joinEndeavour('e', 'd.endeavour_id')} AND e.status <> 'archived'`;
