import { placedOf, visible } from '../../access/visibility/visibility.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import {
  ANY_KIND,
  flagFilter,
  idFilter,
  oneOfFilter,
  resourceFilter,
  wordFilter,
} from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { VERDICTS } from './approval.entity.js';
import { approvalView } from './approval.view.js';
import { APPROVED_KINDS } from './approved-kinds.js';

/** Lists approvals of entities that are visible and not deleted. */
export const approvalList: ListDefinition = {
  view: approvalView,
  joins: 'JOIN entities x ON x.id = a.entity_id',
  scope: ({ me }) => visible('x', me, APPROVED_KINDS),
  candidateIds: { ids: (me) => placedOf('approval', me), unless: ['entity_id'] },
  baseCondition: 'x.deleted_at IS NULL',
  filters: {
    entity_type: oneOfFilter('a.entity_type', APPROVED_KINDS),
    entity_id: idFilter('a.entity_id', ANY_KIND, 'Approvals of this entity.'),
    approver_id: resourceFilter('a.approver_id', 'Approvals given by this resource.'),
    verdict: oneOfFilter('a.verdict', VERDICTS),
    role: wordFilter('a.role', 'Approvals given in this role.', { isUnset: 'a.role IS NULL' }),
    current: flagFilter(
      'a.is_current',
      'NOT a.is_current',
      'Whether the approval is the latest of its approver in its role.',
    ),
    ...rangeFilters({ created: 'a.created_at' }),
  },
  sorts: { created_at: { sql: 'a.created_at', type: 'timestamptz' } },
};
