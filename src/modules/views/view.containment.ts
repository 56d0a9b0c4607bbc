import type { Containment } from '../../platform/containment/containment.js';
import { EXPORT_SCOPE } from '../../platform/containment/export-part.js';
import type { SavedView } from './saved-view.entity.js';
import { viewView } from './view.view.js';

/** Archiving leaves views as they are. An export does not name what its queries find elsewhere. */
export const viewContainment: Containment<SavedView> = {
  exportKey: 'views',
  view: viewView,
  exported: {
    ...viewView,
    fields: {
      ...viewView.fields,
      query: { ...viewView.fields.query, sql: EXPORT_SCOPE.withoutOutside('own.query::json') },
    },
  },
};
