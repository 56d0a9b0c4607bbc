import type { ListDefinition } from '../../../platform/listing/definition.js';
import { idFilter, oneOfFilter, wordFilter } from '../../../platform/listing/filters.js';
import { rangeFilters } from '../../../platform/listing/time-filters.js';
import { DELIVERY_STATUSES } from './webhook-delivery.entity.js';
import { deliveryView } from './webhook-delivery.view.js';

/** The deliveries of one webhook; the route checks that the caller can see the webhook. */
export const deliveryList: ListDefinition = {
  view: deliveryView,
  scope: () => 'true',
  filters: {
    status: oneOfFilter('d.status', DELIVERY_STATUSES),
    type: wordFilter('d.type', 'Deliveries of events of this type, such as task.updated.'),
    event_id: idFilter('d.event_id', 'event', 'Deliveries of this event.'),
    ...rangeFilters({ created: 'd.created_at' }),
  },
  sorts: { created_at: { sql: 'd.created_at', type: 'timestamptz' } },
};
