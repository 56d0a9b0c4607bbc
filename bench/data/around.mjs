import { SEATS } from './shape.mjs';

/** Joins each row number `n` with a task, its endeavour, and a member of it; spreads the rows over all tasks. */
const onTask = (tasks) => `
  LATERAL (SELECT n * 7 % ${tasks} AS task) picked,
  LATERAL (SELECT bench.endeavour_of(task) AS e, bench.place_of(task) AS place) at,
  LATERAL (SELECT bench.id('res', bench.member_of(e, place + n)) AS who) member`;

const series = (count) => `generate_series(0::bigint, ${count - 1}) n`;

/** Rows that belong to tasks: comments, artifacts, relations, approvals, checks. */
export function taskRowsSql({ tasks }, texts) {
  const tenth = tasks / 10;
  const entities = (table, kind, parent, title) => `
    INSERT INTO entities (id, kind, endeavour_id, parent_id, title)
    SELECT own.id, '${kind}', parent.endeavour_id, own.${parent}, left(${title}, 100)
    FROM ${table} own JOIN tasks parent ON parent.id = own.${parent}`;
  return [
    `INSERT INTO comments (id, created_at, updated_at, entity_type, entity_id, content, author_id)
     SELECT bench.id('cmt', n), bench.at(n), bench.at(n), 'task', bench.id('tsk', task),
       left(coalesce(t.description, t.title), 500), who
     FROM ${series(tasks / 5)}, ${onTask(tasks)}, bench.texts t WHERE t.nr = n * 13 % ${texts}`,
    entities('comments', 'comment', 'entity_id', 'own.content'),
    `INSERT INTO artifacts (id, created_at, updated_at, kind, title, url, summary, tags, endeavour_id, task_id, created_by)
     SELECT bench.id('art', n), bench.at(n), bench.at(n), (ARRAY['link', 'doc', 'repo', 'file', 'report'])[1 + n % 5],
       t.title, 'https://example.com/' || n, left(t.description, 300), ARRAY['tag-' || n % 40, 'tag-' || n % 7],
       bench.id('edv', e), bench.id('tsk', task), who
     FROM ${series(tenth)}, ${onTask(tasks)}, bench.texts t WHERE t.nr = n * 17 % ${texts}`,
    entities('artifacts', 'artifact', 'task_id', 'own.title'),
    `INSERT INTO relations (id, created_at, updated_at, relationship_type, source_entity_type, source_entity_id,
       target_entity_type, target_entity_id, created_by)
     SELECT bench.id('rel', n), bench.at(n), bench.at(n), (ARRAY['relates_to', 'depends_on', 'blocks'])[1 + n % 3],
       'task', bench.id('tsk', task), 'task', bench.id('tsk', (task + ${tasks / 10}) % ${tasks}), who
     FROM ${series(tenth)}, ${onTask(tasks)}`,
    entities('relations', 'relation', 'source_entity_id', 'own.relationship_type'),
    `INSERT INTO approvals (id, created_at, entity_type, entity_id, verdict, role, comment, approver_id, entity_revision,
       role_held)
     SELECT bench.id('apr', n), bench.at(n), 'task', bench.id('tsk', task),
       (ARRAY['approved', 'approved', 'needs_work', 'rejected'])[1 + n % 4], CASE WHEN n % 5 = 0 THEN 'product_owner' END,
       'Looked at it', who, 1, CASE WHEN n % 5 = 0 THEN true END
     FROM ${series(tenth)}, ${onTask(tasks)}`,
    entities('approvals', 'approval', 'entity_id', 'own.verdict'),
    `INSERT INTO dod_checks (id, task_id, result, overridden, endorsed, conditions, rested_on, checked_by, checked_at)
     SELECT bench.id('dck', n), bench.id('tsk', task), 'no_policy', false, false, '[]', '{}', who, bench.at(n)
     FROM ${series(tenth)}, ${onTask(tasks)}`,
    entities('dod_checks', 'dod_check', 'task_id', 'own.result'),
  ];
}

/** Rows that belong to endeavours: rituals and their runs, endorsements. */
export function endeavourRowsSql({ tasks, endeavours, users }) {
  const tenth = tasks / 10;
  const entities = (table, kind, title) => `
    INSERT INTO entities (id, kind, endeavour_id, title)
    SELECT id, '${kind}', endeavour_id, ${title} FROM ${table} WHERE endeavour_id IS NOT NULL`;
  return [
    `INSERT INTO rituals (id, created_at, updated_at, lineage_id, name, description, prompt, schedule, endeavour_id,
       is_enabled, created_by)
     SELECT bench.id('rtl', n), bench.at(n), bench.at(n), bench.id('rtl', n), 'Ritual ' || n, 'Every so often, part ' || n,
       'Look at what is open', '{"type": "manual"}', bench.id('edv', n % ${endeavours}), n % 4 > 0,
       bench.id('res', bench.member_of(n % ${endeavours}, n)) FROM ${series(tenth)}`,
    entities('rituals', 'ritual', 'name'),
    `INSERT INTO ritual_runs (id, created_at, updated_at, ritual_id, ritual_version, endeavour_id, status, trigger, run_by,
       started_at, finished_at)
     SELECT bench.id('rtr', n), bench.at(n), bench.at(n), bench.id('rtl', n), 1, bench.id('edv', n % ${endeavours}),
       (ARRAY['succeeded', 'failed', 'skipped'])[1 + n % 3], 'api', bench.id('res', bench.member_of(n % ${endeavours}, n)),
       bench.at(n), bench.at(n) + interval '1 minute' FROM ${series(tenth)}`,
    entities('ritual_runs', 'ritual_run', "'Run'"),
    // Every member has endorsed a policy in each of their endeavours.
    `INSERT INTO dod_endorsements (id, created_at, updated_at, policy_id, policy_version, resource_id, endeavour_id)
     SELECT bench.id('doe', n), bench.at(n), bench.at(n), policy.id, 1,
       bench.id('res', (n / ${SEATS} * ${SEATS} + n % ${SEATS}) % ${users}), bench.id('edv', n / ${SEATS})
     FROM ${series(endeavours * SEATS)}, LATERAL (SELECT bench.id('dod', n % 50) AS id) policy`,
    entities('dod_endorsements', 'dod_endorsement', "'Endorsement'"),
  ];
}

/** Rows that belong to organizations or users: templates, policies, other resources, teams, messages, invitations. */
export function organizationRowsSql({ tasks, organizations, users }, texts) {
  const tenth = tasks / 10;
  // The resources of users have lower numbers.
  const capacities = (step = 1) => `generate_series(100000::bigint, ${100_000 + tenth - 1}, ${step}) n`;
  const inOrganization = `LATERAL (SELECT n % ${organizations} AS o) home,
    LATERAL (SELECT bench.id('res', o * 10 % ${users}) AS who, bench.id('usr', o * 10 % ${users}) AS person) owner`;
  const entities = (table, kind) => `
    INSERT INTO entities (id, kind, organization_id, title)
    SELECT id, '${kind}', organization_id, name FROM ${table} WHERE organization_id IS NOT NULL`;
  return [
    `INSERT INTO templates (id, created_at, updated_at, lineage_id, name, description, scope, body, container, organization_id,
       created_by)
     SELECT bench.id('tpl', n), bench.at(n), bench.at(n), bench.id('tpl', n), 'Template ' || n, 'For reports',
       (ARRAY['task', 'demand', 'endeavour', 'organization'])[1 + n % 4], left(coalesce(t.description, t.title), 400),
       'organization', bench.id('org', o), who
     FROM ${series(tenth)}, ${inOrganization}, bench.texts t WHERE t.nr = n * 19 % ${texts}`,
    entities('templates', 'template'),
    `INSERT INTO dod_policies (id, created_at, updated_at, lineage_id, name, description, conditions, container, organization_id,
       created_by)
     SELECT bench.id('dod', n), bench.at(n), bench.at(n), bench.id('dod', n), 'Policy ' || n, 'What done means, part ' || n,
       '[{"id": "c", "type": "comment_required", "label": "Comment", "params": {"min_comments": 1}, "required": true}]',
       'organization', bench.id('org', o), who FROM ${series(tenth)}, ${inOrganization}`,
    entities('dod_policies', 'dod_policy'),
    // Budgets and services of organizations, and a team for every ten of them.
    `INSERT INTO resources (id, created_at, updated_at, name, type, capacity_model, capacity_value, skills, created_by)
     SELECT bench.id('res', n), bench.at(n), bench.at(n), 'Capacity ' || n,
       CASE WHEN n % 10 = 0 THEN 'team' ELSE (ARRAY['service', 'budget', 'agent'])[1 + n % 3] END, 'budget', n % 1000,
       ARRAY['skill-' || n % 200], who FROM ${capacities()}, ${inOrganization}`,
    `INSERT INTO entities (id, kind, owner_user_id, title)
     SELECT bench.id('res', n), 'resource', person, 'Capacity ' || n
     FROM ${capacities()}, ${inOrganization}`,
    `INSERT INTO organization_resources (organization_id, resource_id, role, joined_at)
     SELECT bench.id('org', o), bench.id('res', n), 'member', bench.at(n)
     FROM ${capacities()}, ${inOrganization}`,
    `UPDATE resources r SET organization_id = m.organization_id FROM organization_resources m
     WHERE m.resource_id = r.id AND m.user_id IS NULL`,
    `UPDATE entities x SET organization_id = r.organization_id, owner_user_id = NULL FROM resources r
     WHERE r.id = x.id AND r.organization_id IS NOT NULL`,
    `INSERT INTO team_members (team_id, resource_id, joined_at)
     SELECT bench.id('res', n), bench.id('res', (o * 10 + seat) % ${users}), bench.at(n)
     FROM ${capacities(10)}, ${inOrganization}, generate_series(0, 2) seat`,
    `INSERT INTO messages (id, created_at, sender_id, subject, content, intent, thread_id)
     SELECT bench.id('msg', n), bench.at(n), bench.id('res', n % ${users}), t.title,
       left(coalesce(t.description, t.title), 300), (ARRAY['info', 'question', 'action'])[1 + n % 3], bench.id('msg', n / 3 * 3)
     FROM ${series(tenth)}, bench.texts t WHERE t.nr = n * 23 % ${texts}`,
    `INSERT INTO entities (id, kind, owner_user_id, title)
     SELECT bench.id('msg', n), 'message', bench.id('usr', n % ${users}), 'Message ' || n FROM ${series(tenth)}`,
    `INSERT INTO message_deliveries (id, message_id, resource_id, user_id, read_at)
     SELECT bench.id('mdl', n * 2 + copy), bench.id('msg', n), bench.id('res', person), bench.id('usr', person),
       CASE WHEN n % 4 > 0 THEN bench.at(n) + interval '1 day' END
     FROM ${series(tenth)}, generate_series(0, 1) copy, LATERAL (SELECT (n * 3 + 1 + copy) % ${users} AS person) to_whom`,
    `INSERT INTO invitations (id, created_at, updated_at, email, invitee, organization_id, role, expires_at, token_hash,
       invited_by)
     SELECT bench.id('inv', n), bench.at(n), bench.at(n), address, address, bench.id('org', o), 'member',
       bench.at(n) + interval '7 days', md5(n::text), person
     FROM ${series(tenth / 5)}, ${inOrganization}, LATERAL (SELECT 'guest' || n || '@bench.example' AS address) to_whom`,
    `INSERT INTO entities (id, kind, owner_user_id, title) SELECT id, 'invitation', invited_by, email FROM invitations`,
    `INSERT INTO alert_terms (id, organization_id, term, folded)
     SELECT bench.id('trm', n * 3 + term), bench.id('org', n), 'term ' || term, 'term ' || term
     FROM ${series(organizations)}, generate_series(0, 2) term`,
    `INSERT INTO alerts (id, organization_id, entity_type, entity_id, term, weight, excerpt, author_id, created_at)
     SELECT bench.id('alt', n), bench.id('org', o), 'task', bench.id('tsk', n), 'term ' || n % 3, 1, 'A term was found', who,
       bench.at(n) FROM ${series(tenth)}, ${inOrganization}`,
  ];
}
