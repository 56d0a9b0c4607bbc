import type { Filter } from '../../platform/listing/definition.js';
import { idFilter } from '../../platform/listing/filters.js';

/** Work of the endeavours that are linked to an organization, by the column that names the endeavour. */
export const inOrganizations = (endeavour: string): Filter => ({
  ...idFilter('', 'Demands in the endeavours of this organization.'),
  where: (ids: string[], { bind }) =>
    `${endeavour} = ANY(ARRAY(SELECT l.endeavour_id FROM organization_endeavours l
      WHERE l.organization_id = ANY(${bind(ids)}::text[])))`,
});
