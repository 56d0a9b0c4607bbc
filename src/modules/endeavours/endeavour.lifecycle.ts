import { Lifecycle } from '../../common/lifecycle.js';

export type EndeavourStatus = 'pending' | 'active' | 'on_hold' | 'completed' | 'archived';

/** The transitions of spec 04; archiving and restoring have separate operations. */
export const endeavourLifecycle = new Lifecycle<EndeavourStatus>('pending', {
  pending: ['active', 'archived'],
  active: ['on_hold', 'completed', 'archived'],
  on_hold: ['active', 'archived'],
  completed: ['active', 'archived'],
  archived: ['active'],
});
