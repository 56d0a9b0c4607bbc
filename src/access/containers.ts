import type { Archived, Lanes } from '../platform/listing/definition.js';
import { endeavoursOf } from './visibility.js';

/** SQL for lists of what is in endeavours and organizations, which may be archived (spec 02). */

const isArchived = (table: 'endeavours' | 'organizations', id: string): string =>
  `EXISTS (SELECT 1 FROM ${table} container WHERE container.id = ${id} AND container.status = 'archived')`;

/** Whether a row is in an archived endeavour or organization, by the columns that name them. */
export function inArchived({ endeavour, organization }: { endeavour: string; organization?: string }): string {
  if (organization === undefined) return isArchived('endeavours', endeavour);
  return `(${isArchived('endeavours', endeavour)} OR ${isArchived('organizations', organization)})`;
}

const PICKED: Record<Archived, string> = {
  any: '',
  true: ` AND ${isArchived('endeavours', 'g.endeavour_id')}`,
  false: ` AND NOT ${isArchived('endeavours', 'g.endeavour_id')}`,
};

/** The endeavours in which the caller has a role, for rows that are in one. */
export const endeavourLanes = (column: string): Lanes => ({
  column,
  of: (me, archived) => endeavoursOf(me) + PICKED[archived],
});
