import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { OPERATION_STATUSES } from './operation.lifecycle.js';
import { operationView } from './operation.view.js';

/** SQL: whether the user started the operation or is an admin of its container. */
export const isVisibleOperation = (me: string): string =>
  `(op.user_id = ${me}
    OR op.container_id IN (SELECT m.organization_id FROM organization_resources m
      WHERE m.user_id = ${me} AND m.role IN ('admin', 'owner'))
    OR op.container_id IN (SELECT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = ${me} AND g.rank >= 3))`;

export const operationList: ListDefinition = {
  view: operationView,
  scope: ({ me }) => isVisibleOperation(me),
  filters: {
    status: oneOfFilter('op.status', OPERATION_STATUSES),
    type: wordFilter('op.type', 'Operations of this type, such as endeavours_archive.'),
    container_id: idFilter(
      'op.container_id',
      ['endeavour', 'organization'],
      'Operations on this endeavour or organization.',
    ),
    ...rangeFilters({ created: 'op.created_at' }),
  },
  sorts: {
    created_at: { sql: 'op.created_at', type: 'timestamptz' },
    finished_at: { sql: 'op.finished_at', type: 'timestamptz', nullable: true },
  },
};
