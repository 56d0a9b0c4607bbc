import type { Content } from '../../platform/contents/content.js';
import type { Approval } from './approval.entity.js';
import { approvalView } from './approval.view.js';

/** Approvals are exported with what they were given to. */
export const approvalContent: Content<Approval> = {
  section: 'approvals',
  view: approvalView,
  erasing: { namesAny: true, after: ['relation'] },
};
