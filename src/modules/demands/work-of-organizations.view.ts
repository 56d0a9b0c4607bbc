import type { Filter } from '../../platform/listing/definition.js';
import { idFilter } from '../../platform/listing/filters.js';

/** Filters demands or tasks by an organization that their endeavour is linked to; `endeavour` is the column of the endeavour. */
export const inOrganizations = (endeavour: string): Filter =>
  idFilter(
    (ids, { bind }) =>
      `${endeavour} = ANY(ARRAY(SELECT l.endeavour_id FROM organization_endeavours l
        WHERE l.organization_id = ANY(${bind(ids)}::text[])))`,
    'organization',
    'Work in the endeavours of this organization.',
  );
