import type { Filter, Sort } from '../../platform/listing/definition.js';
import { dayFilters } from '../../platform/listing/time-filters.js';
import { dayNumber } from '../iterations/iteration-references.view.js';

/** The first day of tasks and demands in their lists. */

/** Describes `start_date` of tasks and demands. */
export const START_OF_WORK = 'The day on which work on it is to begin; not after the day on which it is due.';

/** `start_after` and `start_before`. */
export const startFilters = (row: string): Record<string, Filter> =>
  dayFilters('start', `${row}.start_date`, 'start_date');

/** Sorts by the day on which it is to begin. */
export const startSort = (row: string): Sort => ({
  sql: dayNumber(`${row}.start_date`),
  type: 'integer',
  nullable: true,
});
