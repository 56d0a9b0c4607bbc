import { Lifecycle } from '../../common/lifecycle.js';

export type DemandStatus = 'open' | 'in_progress' | 'fulfilled' | 'canceled';

/** The transitions of spec 05. */
export const demandLifecycle = new Lifecycle<DemandStatus>('open', {
  open: ['in_progress', 'canceled'],
  in_progress: ['fulfilled', 'canceled', 'open'],
  fulfilled: ['open'],
  canceled: ['open'],
});

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof PRIORITIES)[number];
