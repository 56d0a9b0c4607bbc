import type { Containment } from '../../platform/containment/containment.js';
import type { Approval } from './approval.entity.js';
import { approvalView } from './approval.view.js';

/** Approvals are exported with their entity. */
export const approvalContainment: Containment<Approval> = {
  exportKey: 'approvals',
  view: approvalView,
  erasing: { namesAny: true, after: ['relation'] },
};
