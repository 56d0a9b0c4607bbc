import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { textSort } from '../../platform/listing/sorts.js';
import { labelView } from './label.view.js';

/** Lists the labels of an endeavour; the service checks that it is visible. */
export const labelList: ListDefinition = {
  view: labelView,
  scope: () => 'true',
  filters: {},
  sorts: {
    name: textSort('l.name'),
  },
  defaultSort: 'name',
  search: { where: containsText(['l.name']) },
};

/** SQL: whether the label is one of the endeavour; `endeavour` is a placeholder. */
export const labelsOfEndeavour = (endeavour: string): string =>
  `l.endeavour_id = ${endeavour} AND l.merged_into IS NULL`;
