import {
  anyId,
  defineView,
  flag,
  id,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  whole,
} from '../../platform/database/view.js';
import { VERDICTS } from './approval.entity.js';
import { APPROVED_KINDS, isStale } from './approved-content.js';

/** An approval as clients see it. */
export const approvalView = defineView({
  name: 'Approval',
  kind: 'approval',
  table: 'approvals',
  alias: 'a',
  joins: 'JOIN resources approver ON approver.id = a.approver_id',
  fields: {
    id: id('a.id', 'approval'),
    entity_type: oneOf('a.entity_type', APPROVED_KINDS),
    entity_id: anyId('a.entity_id'),
    verdict: oneOf('a.verdict', VERDICTS),
    role: nullable(text('a.role', 'As what it was given.')),
    comment: nullable(text('a.comment')),
    approver_id: id('a.approver_id', 'resource'),
    approver_name: text('approver.name'),
    entity_revision: whole('a.entity_revision'),
    current: flag('a.is_current'),
    stale: flag(isStale('a')),
    metadata: metadata('a.metadata'),
    created_at: time('a.created_at'),
  },
});
