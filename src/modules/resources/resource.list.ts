import { endeavoursWithIds } from '../../access/visibility/containers.view.js';
import { actsAsAdministrator, joinUser, resourceOfUser } from '../../access/visibility/people.view.js';
import { endeavoursOf, organizationsOf, resourcesOf } from '../../access/visibility/visibility.js';
import { externalFilter } from '../../platform/listing/external-filter.js';
import type { Filter, ListDefinition, Statement } from '../../platform/listing/definition.js';
import { searchedIn } from '../../platform/database/views/text-traits.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES } from './resource.entity.js';
import { isSeenInDetail, resourceView } from './resource.view.js';

/** SQL: whether the caller can see the container; a filter by an invisible container matches nothing. */
const isVisible = (container: string, mine: string, { me }: Statement): string =>
  `(${container} IN (${mine}) OR ${actsAsAdministrator(me)})`;

const inOrganizations = (ids: string[], statement: Statement): string =>
  `r.id IN (SELECT o.resource_id FROM organization_resources o WHERE o.organization_id = ANY(${statement.bind(ids)}::text[])
     AND ${isVisible('o.organization_id', organizationsOf(statement.me), statement)})`;

/** SQL: the condition `isAssignable` for lists, in a form that finds the resources by indexes. */
function assignableIn(ids: string[], statement: Statement): string {
  const endeavourIds = `${statement.bind(ids)}::text[]`;
  const anyEndeavour = `ANY(${endeavourIds})`;
  const isVisibleEndeavour = (endeavour: string) => isVisible(endeavour, endeavoursOf(statement.me), statement);
  const manager = resourceOfUser(statement.me);
  return `(r.status = 'active' AND r.id IN (
    SELECT u.resource_id FROM endeavour_grants g ${joinUser('u', 'g.user_id')}
    WHERE g.endeavour_id = ${anyEndeavour} AND g.rank >= 2 AND u.status = 'active' AND ${isVisibleEndeavour('g.endeavour_id')}
    UNION ALL
    SELECT o.resource_id FROM organization_endeavours l JOIN organization_resources o USING (organization_id)
    WHERE l.endeavour_id = ${anyEndeavour} AND o.user_id IS NULL AND ${isVisibleEndeavour('l.endeavour_id')}
    UNION ALL
    SELECT own.id FROM resources own WHERE own.created_by = ${manager} AND own.user_id IS NULL
      AND own.organization_id IS NULL
      AND EXISTS (SELECT 1 FROM ${endeavoursWithIds('e', endeavourIds)} AND ${isVisibleEndeavour('e.id')})))`;
}

/** A filter by a property that not everybody sees; for others it matches nothing. */
const ofDetails = (filter: Filter): Filter => ({
  ...filter,
  where: (value: never, statement, request) =>
    `(${filter.where?.(value, statement, request)} AND ${isSeenInDetail(statement.me)})`,
});

const rangesOfDetails = (columns: Record<string, string>): Record<string, Filter> =>
  Object.fromEntries(Object.entries(rangeFilters(columns)).map(([name, filter]) => [name, ofDetails(filter)]));

/** Filters, sorts and search of resources. */
export const resourceList: ListDefinition = {
  view: resourceView,
  baseCondition: 'r.deleted_at IS NULL',
  scope: ({ me }) => `r.id = ANY(ARRAY(${resourcesOf(me)}))`,
  filters: {
    type: oneOfFilter('r.type', RESOURCE_TYPES),
    status: oneOfFilter('r.status', RESOURCE_STATUSES),
    endeavour_id: idFilter(assignableIn, 'endeavour', 'Resources that can be assigned to work in this endeavour.'),
    organization_id: idFilter(inOrganizations, 'organization', 'Resources of this organization.'),
    skill: ofDetails(
      wordFilter((skills, { bind }) => `r.skills && ${bind(skills)}::text[]`, 'Resources with this skill.', {
        isUnset: `cardinality(r.skills) = 0`,
      }),
    ),
    external: externalFilter('r', ({ me }) => isSeenInDetail(me)),
    ...rangesOfDetails({ created: 'r.created_at', updated: 'r.updated_at' }),
  },
  sorts: {
    name: textSort('r.name'),
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
  },
  search: { where: containsText(searchedIn(resourceView)) },
};
