import { Lifecycle } from '../../common/lifecycle.js';

export type RitualStatus = 'active' | 'archived';

/** An archived ritual is disabled; restoring it does not enable it. */
export const ritualLifecycle = new Lifecycle<RitualStatus>('active', {
  active: ['archived'],
  archived: ['active'],
});

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'skipped';

/** The end of a run is final. */
export const runLifecycle = new Lifecycle<RunStatus>('running', {
  running: ['succeeded', 'failed', 'skipped'],
  succeeded: [],
  failed: [],
  skipped: [],
});

export const RUN_TRIGGERS = ['schedule', 'manual', 'api'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];
