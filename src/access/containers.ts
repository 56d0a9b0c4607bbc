import type { Archived, Partitions } from '../platform/listing/definition.js';
import { endeavoursOf } from './visibility.js';

/** SQL conditions for lists of entities in endeavours and organizations that may be archived (spec 02). */

const ARCHIVED = "container.status = 'archived'";

/** A set that is hashed once and keeps the order of an index scan; a column may be null. */
const isIn = (table: 'endeavours' | 'organizations', id: string): string =>
  `coalesce(${id} IN (SELECT container.id FROM ${table} container WHERE ${ARCHIVED}), false)`;

/** Whether a row is in an archived endeavour or organization, by the columns that name them. */
export function inArchived({ endeavour, organization }: { endeavour: string; organization?: string }): string {
  if (organization === undefined) return isIn('endeavours', endeavour);
  return `(${isIn('endeavours', endeavour)} OR ${isIn('organizations', organization)})`;
}

/** With few containers, each is looked up. */
const isArchived = `EXISTS (SELECT 1 FROM endeavours container WHERE container.id = g.endeavour_id AND ${ARCHIVED})`;

const PICKED: Record<Archived, string> = {
  any: '',
  true: ` AND ${isArchived}`,
  false: ` AND NOT ${isArchived}`,
};

/** The endeavours in which the caller has a role, as partitions of a list. */
export const endeavourPartitions = (column: string): Partitions => ({
  column,
  of: (me, archived) => endeavoursOf(me) + PICKED[archived],
});
