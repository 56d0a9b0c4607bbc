import { kindOf } from '../../../src/common/ids.js';
import { patch, post, put, type ApiRequest } from '../rows.js';
import type { EntityFixtures } from './entity-fixtures.js';

/** Builds a request of the owner in which one field contains the id, and everything else is valid. */
export type IdFieldRequest = (mine: EntityFixtures, id: string) => ApiRequest;

const typed = (id: string): object => ({ entity_type: kindOf(id), entity_id: id });

const relation = ({ things }: EntityFixtures, end: 'source' | 'target', id: string): ApiRequest =>
  post('/relations', {
    relationship_type: 'references',
    source_entity_type: 'task',
    source_entity_id: things.task,
    target_entity_type: 'endeavour',
    target_entity_id: things.endeavour,
    [`${end}_entity_type`]: kindOf(id),
    [`${end}_entity_id`]: id,
  });

const newTask = ({ things }: EntityFixtures, more: object): ApiRequest =>
  post('/tasks', { title: 'Paint', endeavour_id: things.endeavour, ...more });
const changedTask = ({ things }: EntityFixtures, changes: object): ApiRequest =>
  patch(`/tasks/${things.task}`, changes);

const ritualTask = (more: object): object => ({ task: { title: 'Water', ...more } });
const newRitual = ({ things }: EntityFixtures, more: object): ApiRequest =>
  post('/rituals', { name: 'Round', endeavour_id: things.endeavour, ...ritualTask(more) });
const changedRitual = ({ things }: EntityFixtures, more: object): ApiRequest =>
  patch(`/rituals/${things.ritual}`, ritualTask(more));
const forkedRitual = ({ things }: EntityFixtures, more: object): ApiRequest =>
  post(`/rituals/${things.ritual}/fork`, { endeavour_id: things.endeavour, ...ritualTask(more) });

const stage = (id: string): object => ({ id, name: 'Backlog', status: 'planned' });
const goal = (id: string): object => ({ title: 'Shade', linked_entity_type: kindOf(id), linked_entity_id: id });

const RULE = { name: 'First', on: ['task.*'], actions: [{ comment: { content: 'Seen.' } }] };
const messageTo = (id: string): object => ({ actions: [{ message: { recipient_ids: [id], content: 'Seen.' } }] });

const template = { name: 'Report', scope: 'task', body: '# {{ task.title }}' };
/** A PUT by external id, in the given container or in the owner's. */
const byExternal = ({ things }: EntityFixtures, kind: string, body: object, container?: string): ApiRequest => {
  const own = ['resources', 'endeavours'].includes(kind) ? things.organization : things.endeavour;
  const name = own === things.endeavour ? 'endeavour_id' : 'organization_id';
  const asked = container === undefined ? own : container;
  const ref = Object.hasOwn(body, 'owner_id') ? 'held' : 'new';
  return put(`/${kind}/by-external/jira/${ref}?${name}=${asked}`, body);
};

const HOOK = 'https://hooks.example.com';
const consent = { authorization: 'none', consent_token: 'none', scopes: ['tasks:read'] };
const token = { name: 'Robot', scopes: ['*'] };
const policy = { name: 'Ours', conditions: [{ type: 'manual_attestation' }] };

/** A request for every id field of the document, by `operation field`. */
export const ID_FIELD_REQUESTS: Readonly<Record<string, IdFieldRequest>> = {
  'messages_create recipient_ids.0': (_, id) => post('/messages', { recipient_ids: [id], content: 'Well?' }),
  'messages_create scope_id': (_, id) => post('/messages', { scope_type: kindOf(id), scope_id: id, content: 'Well?' }),
  'messages_create entity_id': ({ companion }, id) =>
    post('/messages', { recipient_ids: [companion.id], content: 'Well?', entity_id: id }),
  'messages_read ids.0': (_, id) => post('/messages/read', { ids: [id] }),
  'resources_create organization_id': (_, id) =>
    post('/resources', { name: 'Mower', type: 'service', organization_id: id }),
  'resources_reassign to': ({ things }, id) => post(`/resources/${things.resource}/reassign`, { to: id }),
  'resources_reassign endeavour_id': ({ things }, id) =>
    post(`/resources/${things.resource}/reassign`, { to: 'me', endeavour_id: id }),
  'resources_transfer organization_id': ({ things }, id) =>
    post(`/resources/${things.resource}/transfer`, { organization_id: id }),
  'resources_members_add resource_id': ({ team }, id) => post(`/resources/${team}/members`, { resource_id: id }),
  'users_endeavours_add endeavour_id': ({ companion }, id) =>
    post(`/users/${companion.id}/endeavours`, { endeavour_id: id }),
  'invitations_create organization_id': (_, id) => post('/invitations', { organization_id: id }),
  'invitations_create user_id': ({ things }, id) =>
    post('/invitations', { organization_id: things.organization, user_id: id }),
  'invitations_create endeavour_id': (_, id) => post('/invitations', { endeavour_id: id }),
  'invitations_bulk invitations.0.organization_id': (_, id) =>
    post('/invitations/bulk', { invitations: [{ organization_id: id }] }),
  'invitations_bulk invitations.0.user_id': ({ things }, id) =>
    post('/invitations/bulk', { invitations: [{ organization_id: things.organization, user_id: id }] }),
  'invitations_bulk invitations.0.endeavour_id': (_, id) =>
    post('/invitations/bulk', { invitations: [{ endeavour_id: id }] }),
  'invitations_accept organization_id': ({ offered }, id) =>
    post('/invitations/accept', { token: offered.token, organization_id: id }),
  'invitations_accept_own organization_id': ({ offered }, id) =>
    post(`/invitations/${offered.invitation}/accept`, { organization_id: id }),
  'organizations_update scim_reassign_to': ({ things }, id) =>
    patch(`/organizations/${things.organization}`, { scim_reassign_to: id }),
  'organizations_members_add user_id': ({ things }, id) =>
    post(`/organizations/${things.organization}/members`, { user_id: id }),
  'organizations_resources_add resource_id': ({ things }, id) =>
    post(`/organizations/${things.organization}/resources`, { resource_id: id }),
  'organizations_endeavours_add endeavour_id': ({ things }, id) =>
    post(`/organizations/${things.organization}/endeavours`, { endeavour_id: id }),
  'auth_step_up_oidc_create provider_id': (_, id) =>
    post('/auth/step-up/oidc', { provider_id: id, redirect_uri: 'https://client.example.com' }),
  'identity_providers_create organization_id': (_, id) =>
    post('/identity-providers', {
      name: 'Company',
      issuer: 'https://login.example.com',
      client_id: 'worksmith',
      organization_id: id,
    }),
  'agents_create organization_id': (_, id) => post('/agents', { name: 'Robot', organization_id: id }),
  'agents_tokens_create organization_id': ({ agent }, id) =>
    post(`/agents/${agent}/tokens`, { ...token, organization_id: id }),
  'agents_tokens_create endeavour_id': ({ agent }, id) =>
    post(`/agents/${agent}/tokens`, { ...token, endeavour_id: id }),
  'auth_consents_create organization_id': (_, id) => post('/auth/consents', { ...consent, organization_id: id }),
  'auth_consents_create endeavour_id': (_, id) => post('/auth/consents', { ...consent, endeavour_id: id }),
  'auth_tokens_create organization_id': (_, id) => post('/auth/tokens', { ...token, organization_id: id }),
  'auth_tokens_create endeavour_id': (_, id) => post('/auth/tokens', { ...token, endeavour_id: id }),
  'endeavours_create organization_id': (_, id) => post('/endeavours', { name: 'Another', organization_id: id }),
  'endeavours_create goals.0.id': (_, id) => post('/endeavours', { name: 'Another', goals: [{ id, title: 'Shade' }] }),
  'endeavours_create stages.0.id': (_, id) => post('/endeavours', { name: 'Another', stages: [stage(id)] }),
  'endeavours_update stages.0.id': ({ things }, id) =>
    patch(`/endeavours/${things.endeavour}`, { stages: [stage(id)] }),
  'endeavours_create goals.0.linked_entity_id': (_, id) => post('/endeavours', { name: 'Another', goals: [goal(id)] }),
  'endeavours_update goals.0.id': ({ things }, id) =>
    patch(`/endeavours/${things.endeavour}`, { goals: [{ id, title: 'Shade' }] }),
  'endeavours_update goals.0.linked_entity_id': ({ things }, id) =>
    patch(`/endeavours/${things.endeavour}`, { goals: [goal(id)] }),
  'endeavours_transfer organization_id': ({ things }, id) =>
    post(`/endeavours/${things.endeavour}/transfer`, { organization_id: id }),
  'endeavours_members_add user_id': ({ things }, id) =>
    post(`/endeavours/${things.endeavour}/members`, { user_id: id }),
  'demands_create endeavour_id': (_, id) => post('/demands', { type: 'story', title: 'More shade', endeavour_id: id }),
  'demands_move endeavour_id': ({ things }, id) =>
    post(`/demands/${things.demand}/move`, { endeavour_id: id, with: 'none' }),
  'demands_rank_set before': ({ things }, id) => post(`/demands/${things.demand}/rank`, { before: id }),
  'demands_rank_set after': ({ things }, id) => post(`/demands/${things.demand}/rank`, { after: id }),
  'demands_create iteration_id': ({ things }, id) =>
    post('/demands', { type: 'story', title: 'More shade', endeavour_id: things.endeavour, iteration_id: id }),
  'demands_create goal_id': ({ things }, id) =>
    post('/demands', { type: 'story', title: 'More shade', endeavour_id: things.endeavour, goal_id: id }),
  'demands_update goal_id': ({ things }, id) => patch(`/demands/${things.demand}`, { goal_id: id }),
  'demands_update iteration_id': ({ things }, id) => patch(`/demands/${things.demand}`, { iteration_id: id }),
  'demands_update owner_id': ({ things }, id) => patch(`/demands/${things.demand}`, { owner_id: id }),
  'tasks_create endeavour_id': (mine, id) => newTask(mine, { endeavour_id: id }),
  'tasks_claim endeavour_id': (_, id) => post('/tasks/claim', { endeavour_id: id }),
  'notifications_read ids.0': (_, id) => post('/notifications/read', { ids: [id] }),
  'tasks_review_requests_create resource_ids.0': ({ things }, id) =>
    post(`/tasks/${things.task}/review-requests`, { resource_ids: [id] }),
  'tasks_create assignee_id': (mine, id) => newTask(mine, { assignee_id: id }),
  'tasks_create demand_id': (mine, id) => newTask(mine, { demand_id: id }),
  'tasks_create parent_id': (mine, id) => newTask(mine, { parent_id: id }),
  'tasks_create iteration_id': (mine, id) => newTask(mine, { iteration_id: id }),
  'tasks_create goal_id': (mine, id) => newTask(mine, { goal_id: id }),
  'tasks_update goal_id': (mine, id) => changedTask(mine, { goal_id: id }),
  'tasks_update iteration_id': (mine, id) => changedTask(mine, { iteration_id: id }),
  'tasks_rank_set before': ({ things }, id) => post(`/tasks/${things.task}/rank`, { before: id }),
  'tasks_rank_set after': ({ things }, id) => post(`/tasks/${things.task}/rank`, { after: id }),
  'tasks_update endeavour_id': (mine, id) => changedTask(mine, { endeavour_id: id }),
  'tasks_update assignee_id': (mine, id) => changedTask(mine, { assignee_id: id }),
  'tasks_update demand_id': (mine, id) => changedTask(mine, { demand_id: id }),
  'tasks_update parent_id': (mine, id) => changedTask(mine, { parent_id: id }),
  'tasks_update owner_id': (mine, id) => changedTask(mine, { owner_id: id }),
  'iterations_create endeavour_id': (_, id) =>
    post('/iterations', { name: 'First', endeavour_id: id, start_day: '2026-01-05', end_day: '2026-01-16' }),
  'views_create endeavour_id': (_, id) => post('/views', { name: 'First', kind: 'task', query: {}, endeavour_id: id }),
  'views_create organization_id': (_, id) =>
    post('/views', { name: 'First', kind: 'task', query: {}, organization_id: id }),
  'time_entries_create task_id': (_, id) => post('/time-entries', { task_id: id, minutes: 90, day: '2026-11-20' }),
  'time_entries_create resource_id': ({ things }, id) =>
    post('/time-entries', { task_id: things.task, minutes: 90, day: '2026-11-20', resource_id: id }),
  'time_entries_update resource_id': ({ things }, id) =>
    patch(`/time-entries/${things.time_entry}`, { resource_id: id }),
  'rules_create actions.0.message.recipient_ids.0': ({ things }, id) =>
    post('/rules', { ...RULE, endeavour_id: things.endeavour, ...messageTo(id) }),
  'rules_update actions.0.message.recipient_ids.0': ({ things }, id) => patch(`/rules/${things.rule}`, messageTo(id)),
  'rules_create endeavour_id': (_, id) => post('/rules', { ...RULE, endeavour_id: id }),
  'artifacts_create endeavour_id': (_, id) => post('/artifacts', { kind: 'doc', title: 'Plan', endeavour_id: id }),
  'artifacts_create task_id': (_, id) => post('/artifacts', { kind: 'doc', title: 'Plan', task_id: id }),
  'artifacts_update task_id': ({ things }, id) => patch(`/artifacts/${things.artifact}`, { task_id: id }),
  'tasks_by_external_put endeavour_id': (mine, id) =>
    byExternal(mine, 'tasks', { title: 'Paint', endeavour_id: id }, id),
  'tasks_by_external_put assignee_id': (mine, id) => byExternal(mine, 'tasks', { title: 'Paint', assignee_id: id }),
  'tasks_by_external_put owner_id': (mine, id) => byExternal(mine, 'tasks', { owner_id: id }),
  'tasks_by_external_put iteration_id': (mine, id) => byExternal(mine, 'tasks', { title: 'Paint', iteration_id: id }),
  'tasks_by_external_put goal_id': (mine, id) => byExternal(mine, 'tasks', { title: 'Paint', goal_id: id }),
  'demands_by_external_put goal_id': (mine, id) =>
    byExternal(mine, 'demands', { type: 'story', title: 'More shade', goal_id: id }),
  'demands_by_external_put iteration_id': (mine, id) =>
    byExternal(mine, 'demands', { type: 'story', title: 'More shade', iteration_id: id }),
  'demands_by_external_put owner_id': (mine, id) => byExternal(mine, 'demands', { owner_id: id }),
  'tasks_by_external_put demand_id': (mine, id) => byExternal(mine, 'tasks', { title: 'Paint', demand_id: id }),
  'tasks_by_external_put parent_id': (mine, id) => byExternal(mine, 'tasks', { title: 'Paint', parent_id: id }),
  'demands_by_external_put endeavour_id': (mine, id) =>
    byExternal(mine, 'demands', { type: 'story', title: 'More shade', endeavour_id: id }, id),
  'artifacts_by_external_put endeavour_id': (mine, id) =>
    byExternal(mine, 'artifacts', { kind: 'doc', title: 'Plan', endeavour_id: id }, id),
  'artifacts_by_external_put task_id': (mine, id) =>
    byExternal(mine, 'artifacts', { kind: 'doc', title: 'Plan', task_id: id }),
  'resources_by_external_put organization_id': (mine, id) =>
    byExternal(mine, 'resources', { name: 'Mower', type: 'service', organization_id: id }, id),
  'endeavours_by_external_put organization_id': (mine, id) =>
    byExternal(mine, 'endeavours', { name: 'Another', organization_id: id }, id),
  'endeavours_by_external_put goals.0.id': (mine, id) =>
    byExternal(mine, 'endeavours', { name: 'Another', goals: [{ id, title: 'Shade' }] }),
  'endeavours_by_external_put stages.0.id': (mine, id) =>
    byExternal(mine, 'endeavours', { name: 'Another', stages: [stage(id)] }),
  'endeavours_by_external_put goals.0.linked_entity_id': (mine, id) =>
    byExternal(mine, 'endeavours', { name: 'Another', goals: [goal(id)] }),
  'comments_create entity_id': (_, id) => post('/comments', { ...typed(id), content: 'Green?' }),
  'comments_create reply_to_id': ({ things }, id) =>
    post('/comments', { ...typed(things.task), content: 'Green?', reply_to_id: id }),
  'approvals_create entity_id': (_, id) => post('/approvals', { ...typed(id), verdict: 'needs_work' }),
  'templates_create organization_id': (_, id) => post('/templates', { ...template, organization_id: id }),
  'templates_fork organization_id': ({ things }, id) =>
    post(`/templates/${things.template}/fork`, { organization_id: id }),
  'templates_preview entity_id': ({ things }, id) => post(`/templates/${things.template}/preview`, { entity_id: id }),
  'rituals_create endeavour_id': (_, id) => post('/rituals', { name: 'Round', endeavour_id: id }),
  'rituals_fork endeavour_id': ({ things }, id) => post(`/rituals/${things.ritual}/fork`, { endeavour_id: id }),
  'rituals_fork organization_id': ({ things }, id) => post(`/rituals/${things.ritual}/fork`, { organization_id: id }),
  'rituals_create task.assignee_id': (mine, id) => newRitual(mine, { assignee_id: id }),
  'rituals_create task.demand_id': (mine, id) => newRitual(mine, { demand_id: id }),
  'rituals_fork task.assignee_id': (mine, id) => forkedRitual(mine, { assignee_id: id }),
  'rituals_fork task.demand_id': (mine, id) => forkedRitual(mine, { demand_id: id }),
  'rituals_update task.assignee_id': (mine, id) => changedRitual(mine, { assignee_id: id }),
  'rituals_update task.demand_id': (mine, id) => changedRitual(mine, { demand_id: id }),
  'ritual_runs_create ritual_id': (_, id) => post('/ritual-runs', { ritual_id: id }),
  'relations_create source_entity_id': (mine, id) => relation(mine, 'source', id),
  'relations_create target_entity_id': (mine, id) => relation(mine, 'target', id),
  'dod_policies_create organization_id': (_, id) => post('/dod-policies', { ...policy, organization_id: id }),
  'dod_policies_create endeavour_id': (_, id) => post('/dod-policies', { ...policy, endeavour_id: id }),
  'dod_policies_versions_create endeavour_id': ({ builtInPolicy }, id) =>
    post(`/dod-policies/${builtInPolicy}/versions`, { endeavour_id: id }),
  'dod_policies_versions_create organization_id': ({ builtInPolicy }, id) =>
    post(`/dod-policies/${builtInPolicy}/versions`, { organization_id: id }),
  'endeavours_dod_policy_set policy_id': ({ things }, id) =>
    post(`/endeavours/${things.endeavour}/dod-policy`, { policy_id: id }),
  'dod_endorsements_create endeavour_id': (_, id) => post('/dod-endorsements', { endeavour_id: id }),
  'dod_endorsements_bulk endorsements.0.endeavour_id': (_, id) =>
    post('/dod-endorsements/bulk', { endorsements: [{ endeavour_id: id }] }),
  'dod_endorsements_bulk endorsements.0.policy_id': ({ things }, id) =>
    post('/dod-endorsements/bulk', { endorsements: [{ endeavour_id: things.endeavour, policy_id: id }] }),
  'dod_endorsements_create policy_id': ({ things }, id) =>
    post('/dod-endorsements', { endeavour_id: things.endeavour, policy_id: id }),
  'webhooks_create organization_id': (_, id) => post('/webhooks', { url: HOOK, organization_id: id }),
  'webhooks_create endeavour_id': (_, id) => post('/webhooks', { url: HOOK, endeavour_id: id }),
};
