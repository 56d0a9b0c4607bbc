import { actsAsAdministrator } from '../../access/visibility/people.view.js';
import { AUDIT_ACTIONS } from '../../common/audit.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import {
  anyId,
  defineView,
  id,
  json,
  withoutEventValue,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';

/** SQL: a column with personal data, visible to administrators and to the user concerned. */
const origin = (column: string): string => `CASE
  WHEN o.user_id = :me OR ${actsAsAdministrator(':me')}
  THEN o.${column} END`;

/** The representation of an audit entry. */
export const auditView = defineView({
  name: 'AuditEntry',
  kind: 'audit_entry',
  table: 'audit_entries',
  alias: 'a',
  joins: 'LEFT JOIN audit_origins o ON o.entry_id = a.id',
  fields: {
    id: id('a.id', 'audit_entry'),
    occurred_at: time('a.occurred_at'),
    created_at: withoutEventValue(time('a.occurred_at')),
    action: oneOf('a.action', AUDIT_ACTIONS, 'What was done or rejected.'),
    actor_id: nullable(id('a.actor_id', 'resource')),
    user_id: nullable(id('a.user_id', 'user')),
    entity_type: nullable(oneOf('a.entity_type', Object.keys(KINDS) as Kind[])),
    entity_id: nullable(anyId('a.entity_id')),
    endeavour_id: nullable(id('a.endeavour_id', 'endeavour')),
    organization_id: nullable(id('a.organization_id', 'organization')),
    session_id: nullable(id('a.session_id', 'session')),
    token_id: nullable(id('a.token_id', 'access_token')),
    request_id: nullable(text('a.request_id')),
    operation: nullable(text('a.operation', 'For a rejected request: its method and route.')),
    code: nullable(text('a.code', 'For a rejected request: the error code.')),
    reason: nullable(text('a.reason', 'For a rejected request: the reason in the error, if there is one.')),
    count: {
      ...integer('a.count'),
      schema: {
        type: 'integer',
        description:
          'The number of rejected requests within a minute, or of sessions that ended together; otherwise 1.',
      },
    },
    details: json<Record<string, unknown>>('a.details', {
      type: 'object',
      additionalProperties: true,
      description: 'Ids, roles and states after the act; before contains the earlier ones.',
    }),
    address: withoutEventValue(
      nullable(
        text(
          origin('address'),
          'The IP address; visible to administrators and to the person, and erased with the person.',
        ),
      ),
    ),
    ip: withoutEventValue(nullable(text(origin('address'), 'The same as address.'))),
    source: withoutEventValue(
      oneOf(
        `CASE WHEN a.request_id IS NULL THEN 'system' ELSE 'api' END`,
        ['api', 'system'],
        'Whether a request caused it.',
      ),
    ),
    user_agent: withoutEventValue(
      nullable(text(origin('user_agent'), 'The User-Agent of the client; visible and erased like address.')),
    ),
    email: withoutEventValue(
      nullable(text(origin('email'), 'For a failed sign-in: the e-mail address; visible and erased like address.')),
    ),
  },
});
