import type { Content } from '../../platform/contents/content.js';
import { lineageErasing } from '../../platform/contents/erasing.js';
import { withoutForeignOrigin } from '../../platform/contents/lineage.js';
import { templateView } from './template.view.js';

/** An organization's own templates belong to its export. */
export const templateContent: Content = {
  section: 'templates',
  view: templateView,
  erasing: lineageErasing('templates'),
  exported: withoutForeignOrigin(templateView),
};
