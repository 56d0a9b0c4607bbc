import type { Containment } from '../../platform/containment/containment.js';
import { lineageErasing } from '../../platform/containment/erasing.js';
import { withoutForeignOrigin } from '../../platform/containment/lineage.js';
import { templateView } from './template.view.js';

/** The export of an organization contains its own templates. */
export const templateContainment: Containment = {
  exportKey: 'templates',
  view: templateView,
  erasing: lineageErasing('templates'),
  exported: withoutForeignOrigin(templateView),
};
