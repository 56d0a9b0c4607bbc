import { KINDS } from '../../common/kinds.js';
import { eventDataSchema } from '../../platform/database/views/event-schema.js';
import type { JsonSchema, View } from '../../platform/database/views/view.js';
import { component, describeWebhook, exactly } from '../../platform/http/openapi/schemas.js';
import { eventSchema } from '../activity/event.schema.js';
import { approvalView } from '../approvals/approval.view.js';
import { artifactView } from '../artifacts/artifact.view.js';
import { commentView } from '../comments/comment.view.js';
import { demandView } from '../demands/demand.view.js';
import { checkView } from '../dod/results/check.view.js';
import { endorsementView } from '../dod/endorsements/endorsement.view.js';
import { policyView } from '../dod/policies/policy.view.js';
import { resultView } from '../dod/results/result.view.js';
import { endeavourView } from '../endeavours/endeavour.view.js';
import { invitationView } from '../invitations/invitation.view.js';
import { iterationView } from '../iterations/iteration.view.js';
import { messageView } from '../messages/message.view.js';
import { oauthClientView } from '../oauth/clients/oauth-client.view.js';
import { registrationTokenView } from '../oauth/registration/registration-token.view.js';
import { organizationView } from '../organizations/organization.view.js';
import { relationView } from '../relations/relation.view.js';
import { resourceView } from '../resources/resource.view.js';
import { ritualRunView } from '../rituals/runs/ritual-run.view.js';
import { ritualView } from '../rituals/ritual.view.js';
import { ruleView } from '../rules/rule.view.js';
import { taskView } from '../tasks/task.view.js';
import { templateView } from '../templates/template.view.js';
import { timeEntryView } from '../time-entries/time-entry.view.js';
import { viewView } from '../views/view.view.js';
import { domainView } from '../domains/domain.view.js';
import { identityProviderView } from '../identity-providers/identity-provider.view.js';
import { identityView } from '../identity-providers/identities/identity.view.js';
import { scimTokenView } from '../scim/tokens/scim-token.view.js';
import { passkeyView } from '../passkeys/passkey.view.js';
import { tokenView } from '../tokens/token.view.js';
import { userView } from '../users/user.view.js';
import { webhookView } from './webhook.view.js';

const id: JsonSchema = { type: ['string', 'null'], pattern: '^[a-z]{3}_[0-9a-f]{32}$' };
const ids: JsonSchema = { type: 'array', items: id };
const time: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
const text: JsonSchema = { type: ['string', 'null'] };

/** An object of which readers with less access see only a part. */
const some = (properties: Record<string, JsonSchema>): JsonSchema => exactly({}, properties);

const term = some({ id, term: text, weight: { type: 'integer' }, created_at: time });

/** The data of the events that are not representations, by the name of its component. */
const OTHERS: Record<string, { types: readonly string[]; schema: JsonSchema }> = {
  AlertTermsEventData: {
    types: ['organization.alert_terms_changed'],
    schema: some({ alert_terms: { type: 'array', items: component('EventAlertTerm', term) } }),
  },
  AlertsEventData: {
    types: ['alert.raised'],
    schema: some({
      alerts: {
        type: 'array',
        items: component(
          'EventAlert',
          some({ id, term: text, weight: { type: 'integer' }, entity_type: text, entity_id: id }),
        ),
      },
    }),
  },
  InvalidatedEventData: {
    types: ['dod.changed'],
    schema: some({ task_id: id, check_id: id, approver_ids: ids }),
  },
  MemberEventData: {
    types: ['member.*'],
    schema: some({
      resource_id: id,
      user_id: id,
      role: text,
      stakeholder_roles: { type: 'array', items: { type: 'string' } },
    }),
  },
  DodCheckEventData: { types: ['dod.checked'], schema: eventDataSchema(checkView) },
  RedactionEventData: { types: ['redacted'], schema: some({ change_id: id, field: text, reason: text }) },
  ReviewRequestEventData: { types: ['task.review_requested'], schema: some({ resource_ids: ids }) },
  VisibilityEventData: {
    types: ['visibility.*'],
    schema: some({ endeavour_ids: ids, organization_ids: ids, entity_ids: ids }),
  },
  VoteEventData: { types: ['task.voted', 'demand.voted'], schema: some({ team_id: id, target: text }) },
};

const deleted: JsonSchema = { type: 'boolean', description: 'Present, and true, if the container was erased.' };

interface RepresentedEntity {
  view: View;
  /** Properties of certain events of the entity, besides those of its representation. */
  more?: Record<string, JsonSchema>;
  /** Types with another subject than the entity. */
  types?: readonly string[];
}

/** The data of all other events: the representation of their entity, by the subject of their type. */
const VIEWS: Record<string, RepresentedEntity> = {
  access_token: { view: tokenView, more: { ended_at: time } },
  passkey: { view: passkeyView, more: { ended_at: time } },
  identity: { view: identityView, more: { ended_at: time } },
  domain: { view: domainView, more: { check_due_at: time } },
  identity_provider: { view: identityProviderView },
  scim_token: { view: scimTokenView, more: { ended_at: time } },
  approval: { view: approvalView },
  artifact: { view: artifactView },
  comment: { view: commentView },
  demand: { view: demandView },
  dod_endorsement: { view: endorsementView },
  dod_policy: { view: policyView },
  dod_result: { view: resultView },
  // The event of a link that shares an endeavour contains only the ids of both.
  endeavour: { view: endeavourView, more: { endeavour_id: id, deleted }, types: ['dod.assigned', 'dod.unassigned'] },
  invitation: { view: invitationView, more: { refused_at: time, refused_by: id, is_open: { type: 'boolean' } } },
  iteration: { view: iterationView },
  message: { view: messageView },
  oauth_client: { view: oauthClientView },
  organization: { view: organizationView, more: { deleted } },
  registration_token: { view: registrationTokenView, more: { ended_at: time } },
  relation: { view: relationView },
  resource: { view: resourceView },
  ritual: { view: ritualView },
  ritual_run: { view: ritualRunView },
  task: {
    view: taskView,
    more: { dod_overridden_at: time, dod_overridden_by: id, dod_override_reason: text },
    types: ['dod.met', 'dod.overridden', 'dod.override_lifted'],
  },
  template: { view: templateView },
  time_entry: { view: timeEntryView },
  user: { view: userView, more: { manager_id: id } },
  rule: { view: ruleView },
  view: { view: viewView },
  webhook: { view: webhookView },
};

/** Changes with a deletion, although no representation shows it. */
const deletion: Record<string, JsonSchema> = { deleted_at: time };

const withMore = (schema: JsonSchema, more: Record<string, JsonSchema> = {}): JsonSchema => ({
  ...schema,
  properties: { ...(schema.properties as object), ...deletion, ...more },
});

const referenceOf = (schema: JsonSchema): string => String(schema.$ref);

/** The components of the data of events, by the patterns of their types; an exact type comes before a pattern. */
const DATA: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHERS).flatMap(([name, { types, schema }]) => {
    const reference = referenceOf(component(name, schema));
    return types.map((type): [string, string] => [type, reference]);
  }),
  ...Object.entries(VIEWS).flatMap(([subject, { view, more, types = [] }]) => {
    const reference = referenceOf(component(`${view.name}EventData`, withMore(eventDataSchema(view), more)));
    return [...types, `${subject}.*`].map((type): [string, string] => [type, reference]);
  }),
]);

component('EventData', {
  type: 'object',
  additionalProperties: true,
  'x-event-data': Object.fromEntries(DATA),
});

const PAYLOAD = component(
  'WebhookPayload',
  exactly({
    type: { $ref: '#/components/schemas/EventType' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
    data: eventSchema(),
  }),
);

const test = exactly({ webhook_id: { type: 'string', pattern: `^${KINDS.webhook}_[0-9a-f]{32}$` } });

describeWebhook(
  'webhook.test',
  exactly({
    type: { type: 'string', const: 'webhook.test' },
    timestamp: { type: 'string', format: 'date-time' },
    data: component('WebhookTest', test),
  }),
);

for (const [pattern, reference] of DATA) {
  if (pattern.startsWith('message.')) continue;
  const part = { $ref: reference };
  describeWebhook(pattern, {
    allOf: [
      PAYLOAD,
      { type: 'object', properties: { data: { type: 'object', properties: { data: part, previous: part } } } },
    ],
  });
}
