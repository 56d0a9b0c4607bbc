import type { Content } from '../../platform/contents/content.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView } from './endeavour.view.js';

/** An endeavour lies in itself, and archiving ends it last, after what is in it. */
export const endeavourContent: Content<Endeavour> = {
  section: 'endeavours',
  view: endeavourView,
  ending: {
    entity: Endeavour,
    endeavourId: 'e.id',
    alive: "e.status <> 'archived'",
    changes: (_canceledReason, archivedAt, archivedReason) => ({ status: 'archived', archivedAt, archivedReason }),
    type: 'endeavour.archived',
  },
};
