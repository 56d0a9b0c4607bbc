import { emailOfUser, actsAsAdministrator, resourceOfUser } from '../../access/visibility/people.view.js';
import { visible } from '../../access/visibility/visibility.js';
import { ALL_PARAMETERS, type ExportPart } from '../../platform/containment/export-part.js';
import { namesWith } from '../../platform/database/views/text-traits.js';
import { rowsAsJson, wireTime, type View } from '../../platform/database/views/view.js';
import { approvalView } from '../approvals/approval.view.js';
import { artifactView } from '../artifacts/artifact.view.js';
import { ownEmailChange } from '../auth/email-changes/email-change.view.js';
import { commentView } from '../comments/comment.view.js';
import { ownCredentials } from '../credentials/credential.view.js';
import { demandView } from '../demands/demand.view.js';
import { checkView } from '../dod/results/check.view.js';
import { endorsementView } from '../dod/endorsements/endorsement.view.js';
import { policyView } from '../dod/policies/policy.view.js';
import { resultView } from '../dod/results/result.view.js';
import { endeavourView } from '../endeavours/endeavour.view.js';
import { ownInvitations } from '../invitations/invitation-references.view.js';
import { iterationView } from '../iterations/iteration.view.js';
import { isDeliveredTo } from '../messages/message-references.view.js';
import { messageView } from '../messages/message.view.js';
import { ownNotifications } from '../notifications/own-notifications.view.js';
import { operationView } from '../operations/operation.view.js';
import { organizationView } from '../organizations/organization.view.js';
import { ownIdentities, ownMakers } from '../identity-providers/identities/identity.view.js';
import { ownPasskeys } from '../passkeys/passkey.view.js';
import { relationView } from '../relations/relation.view.js';
import { ownTeams } from '../resources/teams/own-teams.view.js';
import { ownVotes } from '../resources/quorums/quorum-votes.view.js';
import { resourceView } from '../resources/resource.view.js';
import { ritualRunView } from '../rituals/runs/ritual-run.view.js';
import { ritualView } from '../rituals/ritual.view.js';
import { ruleView } from '../rules/rule.view.js';
import { taskView } from '../tasks/task.view.js';
import { ownScimUsers } from '../scim/users/scim-user.view.js';
import { templateView } from '../templates/template.view.js';
import { timeEntryView } from '../time-entries/time-entry.view.js';
import { viewView } from '../views/view.view.js';
import { ownWatches } from '../watches/watch.view.js';
import { userView } from '../users/user.view.js';

/** The caller's resource; `$1` is the caller. */
const MINE = resourceOfUser('$1');
const MY_EMAIL = emailOfUser('$1');
const SEES_ALL = actsAsAdministrator('$1');

interface ExportedList {
  view: View;
  /** SQL over the view's alias: whether the row concerns the caller. */
  where: string;
  /** SQL over the view's alias: the id of the entity whose visibility decides; defaults to that of the row. */
  visibleWith?: string;
  /**
   * Whether only the caller can have written the texts. Otherwise, only texts that the caller wrote on creation are
   * exported for entities that the caller can no longer see.
   */
  areTextsOwn?: boolean;
}

const LISTS: Record<string, ExportedList> = {
  organizations: { view: organizationView, where: `o.created_by = ${MINE}` },
  endeavours: { view: endeavourView, where: `e.created_by = ${MINE}` },
  resources: { view: resourceView, where: `r.created_by = ${MINE} AND r.user_id IS NULL` },
  iterations: { view: iterationView, where: `i.created_by = ${MINE}` },
  demands: { view: demandView, where: `(d.creator_id = ${MINE} OR d.owner_id = ${MINE})` },
  tasks: {
    view: taskView,
    where: `(t.creator_id = ${MINE} OR t.owner_id = ${MINE} OR t.assignee_id = ${MINE})`,
  },
  artifacts: {
    view: artifactView,
    where: `a.created_by = ${MINE}`,
  },
  time_entries: {
    view: timeEntryView,
    where: `(own.resource_id = ${MINE} OR own.created_by = ${MINE})`,
  },
  comments: {
    view: commentView,
    where: `c.author_id = ${MINE}`,
    areTextsOwn: true,
  },
  approvals: {
    view: approvalView,
    where: `a.approver_id = ${MINE}`,
    areTextsOwn: true,
  },
  relations: { view: relationView, where: `l.created_by = ${MINE}` },
  messages: {
    view: messageView,
    where: `(m.sender_id = ${MINE} OR ${isDeliveredTo('m.id', '$1')})`,
  },
  rituals: { view: ritualView, where: `r.created_by = ${MINE}` },
  ritual_runs: { view: ritualRunView, where: `n.run_by = ${MINE}` },
  templates: { view: templateView, where: `p.created_by = ${MINE}` },
  rules: { view: ruleView, where: `(ru.created_by = ${MINE} OR ru.owner_id = ${MINE})` },
  views: { view: viewView, where: `own.created_by = ${MINE}` },
  dod_policies: { view: policyView, where: `p.created_by = ${MINE}` },
  endorsements: { view: endorsementView, where: `d.resource_id = ${MINE}` },
  dod_checks: { view: checkView, where: `k.checked_by = ${MINE}`, visibleWith: 'k.task_id' },
  dod_results: {
    view: resultView,
    where: `r.posted_by = ${MINE}`,
    visibleWith: 'r.task_id',
    areTextsOwn: true,
  },
};

/** The views of all entities that people write. */
export const ENTITY_VIEWS: readonly View[] = Object.values(LISTS).map(({ view }) => view);

/** Lists of data without a view: SQL for rows with one JSON column `body`. */
const PLAIN_LISTS: Record<string, string> = {
  sessions: `SELECT json_build_object('id', s.id, 'created_at', ${wireTime('s.created_at')},
      'expires_at', ${wireTime('s.expires_at')}, 'ended_at', ${wireTime('s.ended_at')},
      'method', s.method, 'proved_at', ${wireTime('coalesce(s.proved_at, s.created_at)')},
      'client_address', s.client_address, 'user_agent', s.user_agent) AS body
    FROM sessions s WHERE s.user_id = $1 ORDER BY s.id`,
  access_tokens: `SELECT json_build_object('id', a.id, 'name', a.name, 'scopes', a.scopes,
      'organization_id', a.organization_id, 'endeavour_id', a.endeavour_id, 'allowed_networks', a.allowed_networks,
      'created_at', ${wireTime('a.created_at')}, 'expires_at', ${wireTime('a.expires_at')},
      'ended_at', ${wireTime('a.ended_at')}, 'last_used_at', ${wireTime('used.used_at')},
      'last_used_address', used.address) AS body
    FROM access_tokens a LEFT JOIN access_token_uses used ON used.token_id = a.id WHERE a.user_id = $1 ORDER BY a.id`,
  known_networks: `SELECT json_build_object('network', k.network, 'last_sign_in_at', ${wireTime('k.last_sign_in_at')}) AS body
    FROM known_addresses k WHERE k.user_id = $1 ORDER BY k.network`,
  credentials: ownCredentials('$1'),
  passkeys: ownPasskeys('$1'),
  identities: ownIdentities('$1'),
  account_of: ownMakers('$1'),
  directory_records: ownScimUsers('$1'),
  email_changes: ownEmailChange('$1'),
  mails: `SELECT json_build_object('kind', o.kind, 'status', o.status, 'created_at', ${wireTime('o.created_at')}) AS body
    FROM outbox o WHERE o.recipient = ${MY_EMAIL} ORDER BY o.created_at, o.id`,
  memberships: `SELECT body FROM (
    SELECT m.organization_id AS id, json_build_object('organization_id', m.organization_id, 'role', m.role,
      'capacity', m.capacity,
      'joined_at', ${wireTime('m.joined_at')}) AS body FROM organization_resources m WHERE m.user_id = $1
    UNION ALL SELECT m.endeavour_id, json_build_object('endeavour_id', m.endeavour_id, 'role', m.role,
      'stakeholder_roles', m.stakeholder_roles, 'joined_at', ${wireTime('m.joined_at')})
      FROM endeavour_members m WHERE m.user_id = $1
    UNION ALL ${ownTeams(MINE)}) memberships ORDER BY id`,
  former_memberships: `SELECT json_build_object('container_id', f.container_id, 'left_at', ${wireTime('f.left_at')}) AS body
    FROM former_members f WHERE f.user_id = $1 AND f.left_at IS NOT NULL ORDER BY f.container_id`,
  invitations: ownInvitations('$1', MY_EMAIL),
  notifications: ownNotifications('$1'),
  watches: ownWatches(MINE),
  votes: ownVotes(MINE),
};

/** The whole representation if the caller can see the entity, otherwise its id, dates and the caller's own texts. */
function listQuery({ view, where, visibleWith = `${view.alias}.id`, areTextsOwn = false }: ExportedList): string {
  const { select, from } = rowsAsJson(view);
  return `SELECT (CASE WHEN ${SEES_ALL} OR EXISTS (SELECT 1 FROM entities x WHERE x.id = mine.seen_with AND ${visible('x')})
      THEN mine.body ELSE ${reducedForm(namesWith('personal', view), areTextsOwn)} END)::text AS body
    FROM (SELECT ${select}, ${visibleWith} AS seen_with FROM ${from} WHERE ${where} AND ${ALL_PARAMETERS}) mine
    ORDER BY mine.id`;
}

function reducedForm(texts: readonly string[], areTextsOwn: boolean): string {
  const dates = `'id', mine.id, 'created_at', mine.body -> 'created_at', 'updated_at', mine.body -> 'updated_at'`;
  return `json_build_object(${dates}${texts.length === 0 ? '' : `, 'texts', ${ownTexts(texts, areTextsOwn)}`})`;
}

function ownTexts(texts: readonly string[], areTextsOwn: boolean): string {
  const isText = `part.key = ANY('{${texts.join(',')}}')`;
  const source = areTextsOwn
    ? 'json_each(mine.body) part WHERE'
    : `events v, json_each(v.data) part WHERE v.entity_id = mine.id AND v.actor_id = ${MINE} AND v.type LIKE '%.created' AND`;
  return `(SELECT coalesce(json_object_agg(part.key, part.value), '{}') FROM ${source} ${isText})`;
}

const viewQuery = (view: View, where: string): string => {
  const { select, from } = rowsAsJson(view);
  return `SELECT body::text AS body FROM (SELECT ${select} FROM ${from} WHERE ${where} AND ${ALL_PARAMETERS}) mine`;
};

const plainQuery = (sql: string): string => `SELECT body::text AS body FROM (${sql}) facts WHERE ${ALL_PARAMETERS}`;

/** Everything about the caller, in the order of the document. */
export const MY_DATA: readonly ExportPart[] = [
  { name: 'user', isList: false, queries: [viewQuery(userView, 'u.id = $1')] },
  { name: 'resource', isList: false, queries: [viewQuery(resourceView, 'r.user_id = $1')] },
  ...Object.entries(PLAIN_LISTS).map(([name, sql]) => ({ name, isList: true, queries: [plainQuery(sql)] })),
  ...Object.entries(LISTS).map(([name, listed]) => ({ name, isList: true, queries: [listQuery(listed)] })),
  { name: 'operations', isList: true, queries: [viewQuery(operationView, 'op.user_id = $1')] },
];
