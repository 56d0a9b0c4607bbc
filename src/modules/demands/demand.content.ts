import type { Content } from '../../platform/contents/content.js';
import { Demand } from './demand.entity.js';
import { demandView } from './demand.view.js';

/** Archiving an endeavour cancels what is still wanted in it. */
export const demandContent: Content<Demand> = {
  section: 'demands',
  view: demandView,
  ending: {
    entity: Demand,
    alive: "d.status IN ('open', 'in_progress')",
    changes: (canceledReason, canceledAt) => ({ status: 'canceled', canceledAt, canceledReason }),
    type: 'demand.status_changed',
  },
  erasing: { after: ['task'] },
};
