import type { Containment } from '../../platform/containment/containment.js';
import { withoutForeignOrigin } from '../../platform/containment/lineage.js';
import { lineageErasing } from '../../platform/containment/erasing.js';
import { Ritual } from './ritual.entity.js';
import { ritualRunView } from './ritual-run.view.js';
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
    // What was missed in the archive is gone: the next time is worked out anew.
    resets: { next_run_at: 'NULL' },
  },
  erasing: { after: ['ritual_run'], ...lineageErasing('rituals') },
};

/** What came of rituals stays as it is. */
export const ritualRunContainment: Containment = { exportKey: 'ritual_runs', view: ritualRunView };
