import { KINDS } from '../../../common/kinds.js';
import type { PartitionedTable } from '../../../platform/partitions/partitioned-table.js';

/** Deliveries are kept for 30 days after their month, unless they have not ended (spec/09). */
export const DELIVERY_PARTITIONS: PartitionedTable = {
  table: 'webhook_deliveries',
  days: 30,
  ended: { condition: "status <> 'pending'", prefix: KINDS.webhook_delivery },
};
