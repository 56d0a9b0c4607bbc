import { commentView } from '../../dist/modules/comments/comment.view.js';
import { taskDetailView } from '../../dist/modules/tasks/task-detail.view.js';
import { taskView } from '../../dist/modules/tasks/task.view.js';
import { eventData } from '../../dist/platform/database/views/event-view.js';
import { oneAsJson, rowsAsJson } from '../../dist/platform/database/views/view.js';

const ACTOR = `actor AS (SELECT resource_id AS id, name FROM users WHERE id = $SUB)`;
const MATCHING = 'endeavour_id = $1 AND status = $2';
const page = rowsAsJson(
  taskView,
  `(SELECT * FROM tasks WHERE ${MATCHING} ORDER BY created_at DESC, id DESC LIMIT $3::integer) t`,
);

/** The event as the service records it, from the row that was written and its representation. */
const event = (view, type, id) => `
  seen AS (SELECT ${rowsAsJson(view, view.alias).select}, ${eventData(view)} AS kept FROM ${rowsAsJson(view, view.alias).from}),
  news AS (INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, actor_id, request_id, data)
    SELECT ${id}, '${type}', '${view.kind}', seen.id, place.endeavour_id, actor.id,
      gen_random_uuid(), seen.kept FROM seen, actor, place)
  SELECT body::text AS body FROM seen`;

const by = (placeholder, sql) => sql.replaceAll('$SUB', placeholder);

export const STATEMENTS = {
  task: oneAsJson(taskDetailView, 't.id = $1'),
  tasks: `SELECT (SELECT count(*) FROM tasks WHERE ${MATCHING})::integer AS total,
    coalesce((SELECT json_agg(body) FROM (SELECT ${page.select} FROM ${page.from}
      ORDER BY t.created_at DESC, t.id DESC) rows), '[]')::text AS items`,
  patchTask: by(
    '$4',
    `WITH ${ACTOR}, t AS (UPDATE tasks SET status = $2, revision = revision + 1, updated_at = clock_timestamp(),
       started_at = CASE WHEN $2 = 'active' THEN coalesce(started_at, clock_timestamp()) ELSE started_at END
       WHERE id = $1 RETURNING *),
     place AS (SELECT endeavour_id FROM t),
     ${event(taskView, 'task.status_changed', '$3')}`,
  ),
  createTask: by(
    '$7',
    `WITH ${ACTOR}, place AS (SELECT $4::text AS endeavour_id),
     placed AS (INSERT INTO entities (id, kind, endeavour_id, title) VALUES ($1, 'task', $4, $2)),
     t AS (INSERT INTO tasks (id, title, description, endeavour_id, estimate, owner_id, creator_id)
       SELECT $1, $2, $3, $4, $5, actor.id, actor.id FROM actor RETURNING *),
     ${event(taskView, 'task.created', '$6')}`,
  ),
  createComment: by(
    '$6',
    `WITH ${ACTOR}, place AS (SELECT endeavour_id FROM entities WHERE id = $4),
     placed AS (INSERT INTO entities (id, kind, endeavour_id, title, parent_id)
       SELECT $1, 'comment', endeavour_id, left($2, 100), $4 FROM place),
     c AS (INSERT INTO comments (id, content, entity_type, entity_id, author_id)
       SELECT $1, $2, $3, $4, actor.id FROM actor RETURNING *),
     ${event(commentView, 'comment.created', '$5')}`,
  ),
  whoami: `SELECT row_to_json(me)::text AS body FROM (
    SELECT u.id AS user_id, u.name, u.email, u.status, u.user_type, u.lang, u.timezone, u.email_copy, u.is_admin,
      u.resource_id, u.login_count, u.last_active_at, u.created_at, u.tier,
      coalesce((SELECT json_object_agg(organization_id, role) FROM organization_resources WHERE user_id = u.id), '{}')
        AS organizations,
      coalesce((SELECT json_object_agg(endeavour_id, role) FROM endeavour_members WHERE user_id = u.id), '{}')
        AS endeavours
    FROM users u WHERE u.id = $1) me`,
};
