import type { Containment } from '../../platform/containment/containment.js';
import { Demand } from './demand.entity.js';
import { demandView } from './demand.view.js';

/** Archiving an endeavour cancels its open demands. */
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
