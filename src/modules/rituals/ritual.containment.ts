import type { Containment } from '../../platform/containment/containment.js';
import { withoutForeignOrigin } from '../../platform/containment/lineage.js';
import { lineageErasing } from '../../platform/containment/erasing.js';
import { Ritual } from './ritual.entity.js';
import { ritualRunView } from './runs/ritual-run.view.js';
import { ritualView } from './ritual.view.js';

/** Archiving an endeavour disables its rituals. */
export const ritualContainment: Containment<Ritual> = {
  exportKey: 'rituals',
  view: ritualView,
  exported: withoutForeignOrigin(ritualView),
  archiveCascade: {
    entity: Ritual,
    alive: 'r.is_enabled',
    changes: () => ({ isEnabled: false }),
    type: 'ritual.updated',
    // Times that pass while the endeavour is archived are skipped, because the next time is calculated again.
    resets: { next_run_at: 'NULL' },
  },
  erasing: { after: ['ritual_run'], ...lineageErasing('rituals') },
};

/** Archiving does not change runs. */
export const ritualRunContainment: Containment = { exportKey: 'ritual_runs', view: ritualRunView };
