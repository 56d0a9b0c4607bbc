import { referencedBy } from '../../access/references/work-references.view.js';
import { defineView } from '../../platform/database/views/view.js';
import { demandView } from './demand.view.js';

/** A single demand, with what refers to it. */
export const demandDetailView = defineView({
  ...demandView,
  readsMore: undefined,
  name: 'DemandDetail',
  fields: { ...demandView.fields, referenced_by: referencedBy('d') },
});
