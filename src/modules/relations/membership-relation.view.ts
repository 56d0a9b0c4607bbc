import { actsAsAdministrator, resourceOfUser } from '../../access/visibility/people.view.js';
import { endeavoursOf, organizationsOf, visible } from '../../access/visibility/visibility.js';
import { id, metadata, nullable, type View } from '../../platform/database/views/view.js';
import { relationView } from './relation.view.js';

/** SQL: the entity row of an end, looked up row by row, because the planner would read all entities for a join. */
const entityRow = (end: string): string =>
  `CROSS JOIN LATERAL (SELECT x.* FROM entities x WHERE x.id = l.${end}_entity_id OFFSET 0) ${end}`;

/** The entity rows of both ends. */
export const MEMBERSHIP_ENDS = `${entityRow('source')} ${entityRow('target')}`;

/** SQL: whether the role is visible; guests see which resources an organization has, but not their roles. */
const showsRole = `(l.organization_id IS NULL OR l.user_id IS NOT NULL OR ${actsAsAdministrator(':me')} OR EXISTS (
  SELECT 1 FROM organization_resources mine
  WHERE mine.organization_id = l.organization_id AND mine.user_id = :me AND mine.role <> 'guest'))`;

/** A membership or link as a relation, with one row for each of its relation types. */
export const membershipRelationView: View = {
  ...relationView,
  table: 'membership_relations',
  joins: MEMBERSHIP_ENDS,
  fields: {
    ...relationView.fields,
    structural: { ...relationView.fields.structural, sql: 'true' },
    metadata: metadata(`CASE WHEN ${showsRole} THEN l.metadata ELSE '{}' END`),
    created_by: nullable(id(resourceOfUser('l.added_by'), 'resource')),
  },
};

/** SQL: whether neither end of the membership is deleted. */
export const isMembershipAlive = 'source.deleted_at IS NULL AND target.deleted_at IS NULL';

/**
 * SQL: whether the membership is visible, by the rules of the member lists: users who see an organization or endeavour
 * see its members. For teams, both ends must be visible.
 */
export const isMembershipVisible = (me = '$1'): string => `CASE
  WHEN l.team_id IS NOT NULL THEN ${visible('source', me)} AND ${visible('target', me)}
  WHEN l.endeavour_id IS NOT NULL THEN l.endeavour_id IN (${endeavoursOf(me)})
  ELSE l.organization_id IN (${organizationsOf(me)}) END`;
