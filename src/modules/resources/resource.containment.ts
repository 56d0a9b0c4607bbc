import type { Containment } from '../../platform/containment/containment.js';
import { EXPORT_SCOPE } from '../../platform/containment/export-part.js';
import { defineView, json } from '../../platform/database/views/view.js';
import type { Resource } from './resource.entity.js';
import { resourceView } from './resource.view.js';

const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', m.organization_id, 'role', m.role)) FROM organization_resources m
  WHERE m.resource_id = r.id AND m.organization_id = ANY(${EXPORT_SCOPE.homes})), '[]')`;

/** The exported form, which does not reveal organizations outside of the export. */
const exported = defineView({
  ...resourceView,
  name: 'ExportedResource',
  fields: { ...resourceView.fields, organizations: json(organizations, { type: 'array' }) },
});

/** An export contains the resources of the organization and of the direct members of its endeavours. */
export const resourceContainment: Containment<Resource> = {
  exportKey: 'resources',
  view: resourceView,
  exported,
  // Resources are erased separately, because history needs their names.
  erasing: null,
  within: ({ endeavours, organization }) => `r.deleted_at IS NULL AND r.id IN (
    SELECT m.resource_id FROM organization_resources m WHERE m.organization_id = ${organization}
    UNION SELECT m.resource_id FROM endeavour_members m WHERE m.endeavour_id = ANY(${endeavours}))`,
};
