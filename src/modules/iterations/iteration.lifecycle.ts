import { Lifecycle } from '../../common/lifecycle.js';

export type IterationStatus = 'planned' | 'active' | 'closed';

/** An iteration is closed for good. */
export const iterationLifecycle = new Lifecycle<IterationStatus>('planned', {
  planned: ['active'],
  active: ['closed'],
  closed: [],
});
