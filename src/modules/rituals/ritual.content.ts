import type { Content } from '../../platform/contents/content.js';
import { Ritual } from './ritual.entity.js';
import { ritualRunView } from './ritual-run.view.js';
import { ritualView } from './ritual.view.js';

/** Archiving an endeavour disables its rituals. */
export const ritualContent: Content<Ritual> = {
  section: 'rituals',
  view: ritualView,
  ending: {
    entity: Ritual,
    alive: 'r.is_enabled',
    changes: () => ({ isEnabled: false }),
    type: 'ritual.updated',
  },
};

/** What came of rituals stays as it is. */
export const ritualRunContent: Content = { section: 'ritual_runs', view: ritualRunView };
