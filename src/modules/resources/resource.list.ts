import { endeavoursOf, organizationsOf, resourcesOf } from '../../access/visibility.js';
import type { ListDefinition, Statement } from '../../platform/listing/definition.js';
import { containsText, idFilter, oneOfFilter, rangeFilters, wordFilter } from '../../platform/listing/filters.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES } from './resource.entity.js';
import { resourceView } from './resource.view.js';

/** A filter that names a container tells nothing of one that the caller does not see. */
const seen = (container: string, mine: string, { me }: Statement): string =>
  `(${container} IN (${mine}) OR EXISTS (SELECT 1 FROM users admin WHERE admin.id = ${me} AND admin.is_admin))`;

const inOrganizations = (ids: string[], statement: Statement): string =>
  `r.id IN (SELECT o.resource_id FROM organization_resources o WHERE o.organization_id = ANY(${statement.bind(ids)}::text[])
     AND ${seen('o.organization_id', organizationsOf(statement.me), statement)})`;

function assignableIn(ids: string[], statement: Statement): string {
  const wanted = `ANY(${statement.bind(ids)}::text[])`;
  const isSeen = (endeavour: string) => seen(endeavour, endeavoursOf(statement.me), statement);
  return `(r.status = 'active' AND r.id IN (
    SELECT m.resource_id FROM endeavour_members m WHERE m.endeavour_id = ${wanted} AND ${isSeen('m.endeavour_id')}
    UNION ALL
    SELECT o.resource_id FROM organization_endeavours l JOIN organization_resources o USING (organization_id)
    WHERE l.endeavour_id = ${wanted} AND ${isSeen('l.endeavour_id')}))`;
}

/** How resources are listed. */
export const resourceList: ListDefinition = {
  view: resourceView,
  always: 'r.deleted_at IS NULL',
  scope: ({ me }) => `r.id = ANY(ARRAY(${resourcesOf(me)}))`,
  filters: {
    type: oneOfFilter('r.type', RESOURCE_TYPES),
    status: oneOfFilter('r.status', RESOURCE_STATUSES),
    endeavour_id: { ...idFilter('', 'Can be given work of this endeavour.'), where: assignableIn },
    organization_id: { ...idFilter('', 'Belongs to this organization.'), where: inOrganizations },
    skill: {
      ...wordFilter('', 'Has this skill.'),
      where: (skills: string[], { bind }) => `r.skills && ${bind(skills)}::text[]`,
    },
    ...rangeFilters({ created: 'r.created_at', updated: 'r.updated_at' }),
  },
  sorts: {
    name: { sql: 'lower(r.name)', type: 'text' },
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
  },
  search: { where: containsText(['r.name']) },
};
