import { ACCOUNT_PERMISSIONS } from './accounts.js';
import { CONTAINER_PERMISSIONS } from './containers.js';
import { DOD_PERMISSIONS } from './dod.js';
import { PROCESS_PERMISSIONS } from './process.js';
import { RECORD_PERMISSIONS } from './records.js';
import { RESOURCE_PERMISSIONS } from './resources.js';
import { COMMUNICATION_PERMISSIONS } from './communication.js';
import { WORK_PERMISSIONS } from './work.js';
import { ITERATIONS_PERMISSIONS } from './iterations.js';
import { TIME_ENTRIES_PERMISSIONS } from './time-entries.js';
import { VIEWS_PERMISSIONS } from './views.js';
import { WATCHES_PERMISSIONS } from './watches.js';
import { RULES_PERMISSIONS } from './rules.js';
import type { Permission } from './permission.js';

/**
 * The permission table of spec 02: one row per operation. The guards, the OpenAPI document and the access matrix of the
 * tests read it. The service does not start if an operation has no row.
 */
export const PERMISSIONS = {
  ...ACCOUNT_PERMISSIONS,
  ...CONTAINER_PERMISSIONS,
  ...RESOURCE_PERMISSIONS,
  ...WORK_PERMISSIONS,
  ...COMMUNICATION_PERMISSIONS,
  ...PROCESS_PERMISSIONS,
  ...DOD_PERMISSIONS,
  ...RECORD_PERMISSIONS,
  ...ITERATIONS_PERMISSIONS,
  ...TIME_ENTRIES_PERMISSIONS,
  ...VIEWS_PERMISSIONS,
  ...WATCHES_PERMISSIONS,
  ...RULES_PERMISSIONS,
} satisfies Record<string, Permission>;

/** The frozen name of an operation; also its `operationId` in the OpenAPI document. */
export type OperationId = keyof typeof PERMISSIONS;

/** The row of an operation. */
export const permissionOf = (operation: OperationId): Permission => PERMISSIONS[operation];
