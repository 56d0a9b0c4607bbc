import type { Content } from '../../platform/contents/content.js';
import { withoutForeignOrigin } from '../../platform/contents/lineage.js';
import { lineageErasing } from '../../platform/contents/erasing.js';
import { Ritual } from './ritual.entity.js';
import { ritualRunView } from './ritual-run.view.js';
import { ritualView } from './ritual.view.js';

/** Archiving an endeavour disables its rituals. */
export const ritualContent: Content<Ritual> = {
  section: 'rituals',
  view: ritualView,
  exported: withoutForeignOrigin(ritualView),
  ending: {
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
export const ritualRunContent: Content = { section: 'ritual_runs', view: ritualRunView };
