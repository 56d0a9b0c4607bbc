import { DELIVERY_PARTITIONS } from './modules/webhooks/deliveries/webhook-delivery.partitions.js';
import { AUDIT_PARTITIONS } from './modules/audit/audit.partitions.js';
import type { PartitionedTable } from './platform/partitions/partitioned-table.js';

/** The tables with partitions by month, for the role that owns them. */
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [DELIVERY_PARTITIONS, ...AUDIT_PARTITIONS];
