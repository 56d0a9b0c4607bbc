import type { Containment } from '../../platform/containment/containment.js';
import { Demand } from './demand.entity.js';
import { demandView } from './demand.view.js';

/** Demands are exported with their endeavour; archiving the endeavour cancels the open ones. */
export const demandContainment: Containment<Demand> = {
  exportKey: 'demands',
  view: demandView,
  archiveCascade: {
    entity: Demand,
    alive: "d.status IN ('open', 'in_progress')",
    changes: (canceledReason, canceledAt) => ({ status: 'canceled', canceledAt, canceledReason }),
    type: 'demand.status_changed',
  },
  erasing: { after: ['task'] },
};
