/** The table of each kind of entity. */
export const TABLES = {
  user: 'users',
  resource: 'resources',
  organization: 'organizations',
  endeavour: 'endeavours',
  demand: 'demands',
  task: 'tasks',
  relation: 'relations',
  approval: 'approvals',
  comment: 'comments',
  artifact: 'artifacts',
  message: 'messages',
  ritual: 'rituals',
  ritual_run: 'ritual_runs',
  template: 'templates',
  dod_policy: 'dod_policies',
  dod_endorsement: 'dod_endorsements',
  dod_check: 'dod_checks',
  dod_result: 'dod_results',
  invitation: 'invitations',
  access_token: 'access_tokens',
  passkey: 'passkeys',
  domain: 'domains',
  identity_provider: 'identity_providers',
  identity: 'identities',
  scim_token: 'scim_tokens',
  oauth_client: 'oauth_clients',
  registration_token: 'oauth_registration_tokens',
  webhook: 'webhooks',
  iteration: 'iterations',
  time_entry: 'time_entries',
  view: 'views',
  rule: 'rules',
};
const UNCOUNTED = ['relation', 'approval', 'message', 'dod_check', 'dod_result'];
/** The kinds whose rows are marked as deleted and stay in their table. */
// prettier-ignore
const DELETABLE = [
  'resource',
  'relation',
  'comment',
  'artifact',
  'invitation',
  'access_token',
  'passkey',
  'domain',
  'identity_provider',
  'identity',
  'scim_token',
  'oauth_client',
  'registration_token',
  'iteration',
  'time_entry',
  'view',
  'rule',
  'webhook',
];
/** The column with the time at which a row was deleted. */
const goneSince = (table) =>
  ['access_tokens', 'passkeys', 'identities', 'scim_tokens', 'oauth_registration_tokens'].includes(table)
    ? 'ended_at'
    : 'deleted_at';
const LINEAGES = ['rituals', 'templates', 'dod_policies'];
const NUMBERS = { tasks: ['estimate', 'actual'], resources: ['capacity_value'] };

const everyKind = (sqlOf, kinds = Object.keys(TABLES)) =>
  kinds.map((kind) => sqlOf(kind, TABLES[kind])).join(' UNION ALL ');

/** The types of events that record the creation of an entity. */
const BIRTHS = [
  ...['created', 'forked', 'versioned', 'sent'].map((act) => `x.kind || '.${act}'`),
  `'dod.checked'`,
].join(', ');

/** Built-in rows are inserted by a migration, and have no events. */
const BUILT_IN = `SELECT id FROM rituals WHERE origin = 'template' UNION ALL SELECT id FROM templates WHERE origin = 'template'
  UNION ALL SELECT id FROM dod_policies WHERE origin = 'template'`;

/** Whether an entity is an erased container, of which only the entity and the event of its deletion remain. */
const IS_ERASED = `(x.kind IN ('endeavour', 'organization') AND x.deleted_at IS NOT NULL)`;

/**
 * Conditions that always hold in the database, also after failures. Each query returns only rows that violate its
 * condition, with their `id`.
 */
export const INVARIANTS = [
  {
    name: 'every entity has a row in the table of its kind',
    sql: `SELECT x.id FROM entities x WHERE x.id NOT IN (${everyKind((_, table) => `SELECT id FROM ${table}`)})
            AND NOT ${IS_ERASED}`,
  },
  {
    name: 'every row has an entity of its kind',
    sql: everyKind(
      (kind, table) =>
        `SELECT t.id FROM ${table} t LEFT JOIN entities x ON x.id = t.id AND x.kind = '${kind}' WHERE x.id IS NULL`,
    ),
  },
  {
    name: 'the entity of a deleted row is deleted, too',
    sql: everyKind(
      (_, table) =>
        `SELECT id FROM ${table} t JOIN entities x USING (id)
         WHERE t.${goneSince(table)} IS NOT NULL AND x.deleted_at IS NULL`,
      DELETABLE,
    ),
  },
  {
    name: 'every entity belongs to at most one container',
    sql: `SELECT id FROM entities
          WHERE num_nonnulls(endeavour_id, organization_id, owner_user_id) + is_global::integer > 1`,
  },
  {
    name: 'every entity belongs to a container that exists',
    sql: `SELECT x.id FROM entities x LEFT JOIN endeavours e ON e.id = x.endeavour_id
            LEFT JOIN organizations o ON o.id = x.organization_id LEFT JOIN users u ON u.id = x.owner_user_id
          WHERE NOT ${IS_ERASED} AND ((x.endeavour_id IS NOT NULL AND e.id IS NULL)
            OR (x.organization_id IS NOT NULL AND o.id IS NULL) OR (x.owner_user_id IS NOT NULL AND u.id IS NULL))`,
  },
  {
    name: 'a row and its entity are in the same endeavour',
    sql: ['demands', 'tasks', 'artifacts', 'ritual_runs', 'dod_endorsements', 'rituals']
      .map((table) => `SELECT t.id FROM ${table} t JOIN entities x USING (id) WHERE t.endeavour_id <> x.endeavour_id`)
      .join(' UNION ALL '),
  },
  {
    name: 'a child entity is in the container of its parent, and is deleted with it',
    sql: `SELECT x.id FROM entities x JOIN entities parent ON parent.id = x.parent_id
          WHERE (x.endeavour_id, x.organization_id, x.owner_user_id, x.is_global)
            IS DISTINCT FROM (parent.endeavour_id, parent.organization_id, parent.owner_user_id, parent.is_global)
            OR (parent.deleted_at IS NOT NULL AND x.deleted_at IS NULL)`,
  },
  {
    name: 'every revision has an event',
    sql: `WITH said AS (
            SELECT entity_id AS id, count(DISTINCT (data->>'revision')::integer) AS revisions,
              max((data->>'revision')::integer) AS latest
            FROM events WHERE data->>'revision' IS NOT NULL GROUP BY entity_id),
          held AS (${everyKind(
            (_, table) => `SELECT id, revision FROM ${table}`,
            Object.keys(TABLES).filter((kind) => !UNCOUNTED.includes(kind)),
          )})
          SELECT held.id FROM held LEFT JOIN said USING (id)
          WHERE (said.revisions, said.latest) IS DISTINCT FROM (held.revision::bigint, held.revision)
            AND held.id NOT IN (${BUILT_IN})`,
  },
  {
    name: 'every entity has exactly one event of its creation',
    sql: `SELECT x.id FROM entities x
            LEFT JOIN events e ON e.entity_id = x.id AND e.type = ANY(ARRAY[${BIRTHS}])
          WHERE x.id NOT IN (${BUILT_IN}) AND NOT ${IS_ERASED} GROUP BY x.id HAVING count(e.id) <> 1`,
  },
  {
    name: 'the ids of events are unique',
    sql: 'SELECT id FROM events GROUP BY id HAVING count(*) > 1',
  },
  {
    name: 'every container that is not archived has an owner',
    sql: `SELECT id FROM endeavours e WHERE status <> 'archived'
            AND NOT EXISTS (SELECT 1 FROM endeavour_grants g WHERE g.endeavour_id = e.id AND g.rank = 4)
          UNION ALL SELECT id FROM organizations o WHERE status <> 'archived'
            AND NOT EXISTS (SELECT 1 FROM organization_resources m WHERE m.organization_id = o.id AND m.role = 'owner')`,
  },
  {
    name: 'users and their resources refer to each other',
    sql: `SELECT u.id FROM users u LEFT JOIN resources r ON r.id = u.resource_id AND r.user_id = u.id WHERE r.id IS NULL
          UNION ALL SELECT m.endeavour_id FROM endeavour_members m JOIN users u ON u.id = m.user_id
            WHERE u.resource_id <> m.resource_id
          UNION ALL SELECT m.organization_id FROM organization_resources m JOIN resources r ON r.id = m.resource_id
            WHERE r.user_id IS DISTINCT FROM m.user_id`,
  },
  {
    name: 'an archived endeavour has no open tasks or demands and no enabled rituals',
    sql: `SELECT t.id FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
            WHERE e.status = 'archived' AND t.status IN ('planned', 'active')
          UNION ALL SELECT d.id FROM demands d JOIN endeavours e ON e.id = d.endeavour_id
            WHERE e.status = 'archived' AND d.status IN ('open', 'in_progress')
          UNION ALL SELECT r.id FROM rituals r JOIN endeavours e ON e.id = r.endeavour_id
            WHERE e.status = 'archived' AND r.is_enabled`,
  },
  {
    name: 'an endeavour of an archived organization is archived, too',
    sql: `SELECT l.endeavour_id AS id FROM organization_endeavours l JOIN organizations o ON o.id = l.organization_id
            JOIN endeavours e ON e.id = l.endeavour_id
          WHERE o.status = 'archived' AND e.status <> 'archived'`,
  },
  {
    name: 'is_home and is_private of the organizations of an endeavour match the endeavour',
    sql: `SELECT l.endeavour_id AS id FROM organization_endeavours l JOIN endeavours e ON e.id = l.endeavour_id
          WHERE (l.is_home, l.is_private) IS DISTINCT FROM
            (e.organization_id IS NOT DISTINCT FROM l.organization_id, e.is_private)`,
  },
  {
    name: 'a completed endeavour has no open tasks',
    sql: `SELECT t.id FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
          WHERE e.status = 'completed' AND t.status IN ('planned', 'active')`,
  },
  {
    name: 'a fulfilled demand has no open tasks',
    sql: `SELECT t.id FROM tasks t JOIN demands d ON d.id = t.demand_id
          WHERE d.status = 'fulfilled' AND t.status IN ('planned', 'active')`,
  },
  {
    name: 'the history of a task has one current entry, with the status of the task',
    sql: `SELECT t.id FROM tasks t LEFT JOIN task_statuses s ON s.task_id = t.id AND s.left_at IS NULL
          GROUP BY t.id HAVING count(s.id) <> 1 OR min(s.status) <> t.status`,
  },
  {
    name: 'each entry in the history of a task continues the previous one, in the endeavour of the task',
    sql: `SELECT s.task_id FROM (SELECT *, lag(status) OVER (PARTITION BY task_id ORDER BY id) AS before FROM task_statuses) s
            JOIN tasks t ON t.id = s.task_id
          WHERE s.previous_status IS DISTINCT FROM s.before OR s.endeavour_id <> t.endeavour_id`,
  },
  {
    name: 'each task is in a stage of its endeavour and status, if it is in one',
    sql: `SELECT t.id FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
          WHERE t.stage IS NOT NULL AND t.status <> 'canceled'
            AND (e.stages IS NULL OR stage_in(e.stages, t.status, t.stage) ->> 'id' IS DISTINCT FROM t.stage)`,
  },
  {
    name: 'the values by which work is filtered are those of its metadata',
    sql: `SELECT coalesce(kept.id, derived.id) AS id FROM (SELECT v.entity_id AS id, v.key, v.item, v.endeavour_id, v.text_value,
              v.number_value, v.day_value, v.flag_value FROM field_values v) kept
          FULL JOIN (SELECT w.id, d.key, d.item, w.endeavour_id, d.text_value, d.number_value, d.day_value, d.flag_value
            FROM (SELECT id, endeavour_id, metadata, 'task' AS kind FROM tasks
              UNION ALL SELECT id, endeavour_id, metadata, 'demand' FROM demands) w
            JOIN endeavours e ON e.id = w.endeavour_id
            CROSS JOIN LATERAL declared_values(w.metadata, e.fields, w.kind) d) derived
          ON derived.id = kept.id AND derived.key = kept.key AND derived.item = kept.item
          WHERE kept IS DISTINCT FROM derived AND NOT EXISTS (SELECT 1 FROM field_renewals r
            WHERE r.endeavour_id = coalesce(kept.endeavour_id, derived.endeavour_id))`,
  },
  {
    name: 'the history of a task in stages has its stage as the only current entry',
    sql: `SELECT t.id FROM tasks t LEFT JOIN task_stages s ON s.task_id = t.id AND s.left_at IS NULL
          GROUP BY t.id HAVING count(s.id) > 1
            OR min(s.stage) IS DISTINCT FROM CASE WHEN t.status <> 'canceled' THEN t.stage END`,
  },
  {
    name: 'the hours of a closed task are the sum of its history',
    sql: `SELECT t.id FROM tasks t JOIN task_statuses s ON s.task_id = t.id WHERE t.status IN ('done', 'canceled')
          GROUP BY t.id HAVING abs(coalesce(t.actual, 0) - coalesce(sum(s.hours), 0)) > 0.001`,
  },
  {
    name: 'done tasks have their hours, and refer only to a check that let them be done',
    // The hours of imported work are not known.
    sql: `SELECT id FROM tasks WHERE status = 'done' AND actual IS NULL AND dod_result IS DISTINCT FROM 'imported'
          UNION ALL SELECT t.id FROM tasks t JOIN dod_checks c ON c.id = t.dod_check_id
            WHERE c.task_id <> t.id OR (c.result = 'not_met' AND NOT c.overridden)`,
  },
  {
    name: 'numbers are finite',
    sql: Object.entries(NUMBERS)
      .flatMap(([table, columns]) =>
        columns.map((column) => `SELECT id FROM ${table} WHERE ${column} IN ('NaN', 'Infinity', '-Infinity')`),
      )
      .join(' UNION ALL '),
  },
  {
    name: 'replies belong to a comment that is not a reply',
    sql: `SELECT c.id FROM comments c JOIN comments parent ON parent.id = c.reply_to_id
          WHERE parent.reply_to_id IS NOT NULL`,
  },
  {
    name: 'a version has the number after that of its predecessor, unless that was erased',
    sql: LINEAGES.map(
      (table) => `SELECT t.id FROM ${table} t LEFT JOIN ${table} before ON before.id = t.predecessor_id
        WHERE CASE WHEN before.id IS NULL THEN t.version = 1 AND t.lineage_id <> t.id
          ELSE t.version <> before.version + 1 OR t.lineage_id <> before.lineage_id END`,
    ).join(' UNION ALL '),
  },
  {
    name: 'a policy has at most one next version',
    sql: `SELECT min(id) AS id FROM dod_policies WHERE origin = 'custom' AND predecessor_id IS NOT NULL
            GROUP BY predecessor_id HAVING count(*) > 1`,
  },
  {
    name: 'an active endorsement belongs to the policy of its endeavour',
    sql: `SELECT s.id FROM dod_endorsements s JOIN endeavours e ON e.id = s.endeavour_id
          WHERE s.status = 'active' AND e.dod_policy_id IS NOT NULL AND e.dod_policy_id <> s.policy_id`,
  },
  {
    name: 'there is at most one relation of a type from one entity to another',
    sql: `SELECT min(r.id) AS id FROM relations r WHERE r.deleted_at IS NULL
          GROUP BY source_entity_id, target_entity_id, relationship_type HAVING count(*) > 1`,
  },
  {
    name: 'dependencies and parents within an endeavour form no cycle',
    sql: `WITH RECURSIVE link AS (
            SELECT relationship_type AS type, source_entity_id AS source, target_entity_id AS target
            FROM relations l JOIN entities s ON s.id = l.source_entity_id JOIN entities t ON t.id = l.target_entity_id
            WHERE l.deleted_at IS NULL AND relationship_type IN ('depends_on', 'blocks', 'parent_of')
              AND s.endeavour_id IS NOT DISTINCT FROM t.endeavour_id),
          way AS (
            SELECT type, source, target FROM link
            UNION SELECT way.type, way.source, link.target FROM way JOIN link ON link.type = way.type AND link.source = way.target)
          SELECT source AS id FROM way WHERE source = target`,
  },
  {
    name: 'blocked_by_count is the number of open tasks of the endeavour that block the task',
    sql: `SELECT t.id FROM tasks t LEFT JOIN (
            SELECT own.id, count(DISTINCT b.id) AS blockers FROM relations l
            JOIN tasks own ON own.id = CASE l.relationship_type WHEN 'blocks' THEN l.target_entity_id ELSE l.source_entity_id END
            JOIN tasks b ON b.endeavour_id = own.endeavour_id AND b.status IN ('planned', 'active')
              AND b.id = CASE l.relationship_type WHEN 'blocks' THEN l.source_entity_id ELSE l.target_entity_id END
            WHERE l.relationship_type IN ('depends_on', 'blocks') AND l.deleted_at IS NULL GROUP BY own.id) waiting USING (id)
          WHERE t.blocked_by_count <> coalesce(waiting.blockers, 0)`,
  },
  {
    name: 'exactly one approval of an approver in a role is current',
    sql: `SELECT min(id) AS id FROM approvals
          GROUP BY entity_id, approver_id, role HAVING count(*) FILTER (WHERE is_current) <> 1`,
  },
  {
    name: 'the first message of a thread is not a reply, and all others are',
    sql: `SELECT m.id FROM messages m JOIN messages first ON first.id = m.thread_id
          WHERE first.reply_to_id IS NOT NULL OR (m.reply_to_id IS NULL) <> (m.id = m.thread_id)`,
  },
  {
    name: 'the members of a team belong to the organization of the team',
    sql: `SELECT m.team_id AS id FROM team_members m JOIN resources team ON team.id = m.team_id
          WHERE NOT is_of_team(team, m.resource_id)`,
  },
  {
    name: 'a resource and its entity are in the same organization',
    sql: `SELECT r.id FROM resources r JOIN entities x USING (id)
          WHERE r.deleted_at IS NULL AND x.organization_id IS DISTINCT FROM r.organization_id`,
  },
  {
    name: 'at most one vote of a member for an entity is valid',
    sql: `SELECT min(entity_id) AS id FROM quorum_votes WHERE lapsed_at IS NULL
          GROUP BY entity_id, resource_id HAVING count(*) > 1`,
  },
  {
    name: 'a time of a schedule has at most one run',
    sql: `SELECT min(id) AS id FROM ritual_runs WHERE scheduled_for IS NOT NULL
          GROUP BY ritual_id, scheduled_for HAVING count(*) > 1`,
  },
  {
    name: 'only unfinished operations block writes, and states before archiving are kept only for archived endeavours',
    sql: `SELECT e.id FROM endeavours e JOIN operations op ON op.id = e.closed_by WHERE op.finished_at IS NOT NULL
          UNION ALL SELECT o.id FROM organizations o JOIN operations op ON op.id = o.closed_by
            WHERE op.finished_at IS NOT NULL
          UNION ALL SELECT a.entity_id FROM archived_states a JOIN endeavours e ON e.id = a.endeavour_id
            WHERE e.status <> 'archived' AND e.closed_by IS NULL`,
  },
  {
    name: 'sessions, codes, sign-ups and idempotency keys are deleted in time',
    sql: `SELECT id FROM sessions WHERE least(ended_at, expires_at) < now() - interval '31 days'
          UNION ALL SELECT id::text FROM codes WHERE expires_at < now() - interval '2 days'
          UNION ALL SELECT id::text FROM sign_ups WHERE expires_at < now() - interval '1 day'
          UNION ALL SELECT key FROM idempotency_keys WHERE created_at < now() - interval '2 days'`,
  },
];

const SHOWN = 5;

/** Checks all invariants, and returns a line for each that is violated. `query` takes SQL and resolves with rows. */
export async function brokenInvariants(query) {
  const faults = [];
  for (const { name, sql } of INVARIANTS) {
    const rows = await query(sql);
    const ids = rows.slice(0, SHOWN).map(({ id }) => id);
    if (rows.length > 0) faults.push(`not so: ${name} (${rows.length}: ${ids.join(', ')})`);
  }
  return faults;
}
