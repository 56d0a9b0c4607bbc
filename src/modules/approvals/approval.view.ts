import { joinResource } from '../../access/visibility/people.view.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  anyId,
  defineView,
  boolean,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';
import { VERDICTS } from './approval.entity.js';
import { CHANGE_SINCE } from './approved-content.view.js';
import { APPROVED_KINDS } from './approved-kinds.js';

/** The representation of an approval. */
export const approvalView = defineView({
  name: 'Approval',
  kind: 'approval',
  table: 'approvals',
  alias: 'a',
  joins: `${joinResource('approver', 'a.approver_id')} ${CHANGE_SINCE}`,
  people: {
    properties: ['approver_id'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = a.entity_id)`,
  },
  fields: {
    id: id('a.id', 'approval'),
    entity_type: oneOf('a.entity_type', APPROVED_KINDS),
    entity_id: anyId('a.entity_id'),
    verdict: written(oneOf('a.verdict', VERDICTS), 'personal'),
    role: written(nullable(text('a.role', 'The role in which the approval was given.')), 'personal'),
    role_held: nullable(boolean('a.role_held')),
    comment: written(nullable(text('a.comment')), 'personal'),
    approver_id: id('a.approver_id', 'resource'),
    approver_name: withoutEventValue(text('approver.name')),
    entity_revision: integer('a.entity_revision'),
    current: boolean('a.is_current'),
    stale: withoutEventValue(boolean('(change.at IS NOT NULL)')),
    stale_at: withoutEventValue(nullable(time('change.at'))),
    stale_by: withoutEventValue(nullable(id('change.by', 'resource'))),
    dismissed_at: nullable(time('a.dismissed_at')),
    dismissed_by: nullable(id('a.dismissed_by', 'resource')),
    dismissed_reason: nullable(text('a.dismissed_reason')),
    metadata: written(metadata('a.metadata'), 'personal'),
    created_at: time('a.created_at'),
  },
});
