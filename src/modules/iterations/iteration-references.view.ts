import { isId } from '../../common/ids.js';
import { id, nullable, type ViewField } from '../../platform/database/views/view.js';
import { setFilter } from '../../platform/listing/chosen-set.js';
import type { Filter, Sort } from '../../platform/listing/definition.js';

/** SQL about iterations, for the lists of the tasks and demands in them. */

/** SQL for a day as a number, in which it sorts. */
export const dayNumber = (day: string): string => `(${day} - '1970-01-01'::date)`;

/** The iteration of the task or demand in a row. */
export const iterationField = (row: string): ViewField<string | null> =>
  nullable(id(`${row}.iteration_id`, 'iteration'));

/** Sorts by the first day of the iteration; without one last. */
export const iterationSort = (row: string): Sort => ({
  sql: `(SELECT ${dayNumber('i.start_day')} FROM iterations i WHERE i.id = ${row}.iteration_id)`,
  type: 'integer',
  nullable: true,
});

/** SQL over `i`: whether it is the first one of its endeavour that has not begun. */
export const IS_NEXT = `i.status = 'planned' AND i.deleted_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM iterations sooner WHERE sooner.endeavour_id = i.endeavour_id AND sooner.status = 'planned'
    AND sooner.deleted_at IS NULL AND (sooner.start_day, sooner.id) < (i.start_day, i.id))`;

const NAMED: Readonly<Record<string, string>> = { current: `i.status = 'active'`, next: IS_NEXT };

/** The endeavour is compared too, so that the few iterations of one can be looked up first. */
const isInNamed = (row: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM iterations i
    WHERE i.id = ${row}.iteration_id AND i.endeavour_id = ${row}.endeavour_id AND ${condition})`;

/** Filters tasks or demands by their iterations. */
export function iterationFilter(row: string): Filter {
  const column = `${row}.iteration_id`;
  const filter = setFilter({
    item: { type: 'string', pattern: `^(?:${Object.keys(NAMED).join('|')}|itr_[0-9a-f]{32})$` },
    description:
      'In these iterations: current is the active one of the endeavour, next the planned one that begins first, others ' +
      'are named by their ids.',
    isUnset: `${column} IS NULL`,
    errorOf: (value) =>
      Object.hasOwn(NAMED, value) || isId('iteration', value)
        ? undefined
        : { code: 'invalid_format', message: 'Must be current, next, none or the id of an iteration (itr_...).' },
    match(wanted, { bind }) {
      const ids = wanted.filter((value) => !Object.hasOwn(NAMED, value));
      const parts = wanted.flatMap((value) => (Object.hasOwn(NAMED, value) ? [isInNamed(row, NAMED[value])] : []));
      if (ids.length === 1) parts.push(`${column} = ${bind(ids[0])}`);
      if (ids.length > 1) parts.push(`${column} = ANY(${bind(ids)}::text[])`);
      return `(${parts.join(' OR ')})`;
    },
  });
  return { ...filter, kinds: ['iteration'] };
}
