import type { Archived, Partitions } from '../../platform/listing/definition.js';
import { endeavoursOf } from './visibility.js';

/** SQL conditions for lists of entities in endeavours and organizations that may be archived (spec 02). */

const ARCHIVED = "container.status = 'archived'";

/** A condition that PostgreSQL hashes once, so that an index scan keeps its order; `id` can be null. */
const isIn = (table: 'endeavours' | 'organizations', id: string): string =>
  `coalesce(${id} IN (SELECT container.id FROM ${table} container WHERE ${ARCHIVED}), false)`;

/** SQL: whether a row is in an archived endeavour or organization, from the columns with their ids. */
export function inArchived({ endeavour, organization }: { endeavour: string; organization?: string }): string {
  if (organization === undefined) return isIn('endeavours', endeavour);
  return `(${isIn('endeavours', endeavour)} OR ${isIn('organizations', organization)})`;
}

/** A condition that looks up each container, because a caller has few. */
const IS_ARCHIVED = `EXISTS (SELECT 1 FROM endeavours container WHERE container.id = g.endeavour_id AND ${ARCHIVED})`;

const ARCHIVED_CONDITIONS: Record<Archived, string> = {
  any: '',
  true: ` AND ${IS_ARCHIVED}`,
  false: ` AND NOT ${IS_ARCHIVED}`,
};

/** The endeavours in which the caller has a role, as partitions of a list. */
export const endeavourPartitions = (column: string): Partitions => ({
  column,
  of: (me, archived) => endeavoursOf(me) + ARCHIVED_CONDITIONS[archived],
});
