import { endeavourPartitions, inArchived } from '../../access/visibility/containers.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { idFilter, resourceFilter } from '../../platform/listing/filters.js';
import { dayFilters, rangeFilters } from '../../platform/listing/time-filters.js';
import { dayNumber } from '../iterations/iteration-references.view.js';
import { timeEntryView } from './time-entry.view.js';

/** How time entries are listed. */
export const timeEntryList: ListDefinition = {
  view: timeEntryView,
  partitions: endeavourPartitions('own.endeavour_id'),
  isArchived: inArchived({ endeavour: 'own.endeavour_id' }),
  baseCondition: 'own.deleted_at IS NULL',
  filters: {
    endeavour_id: idFilter('own.endeavour_id', 'endeavour', 'Time entries in this endeavour.'),
    task_id: idFilter('own.task_id', 'task', 'Time entries of this task.'),
    resource_id: resourceFilter('own.resource_id', 'The time of this resource.'),
    ...dayFilters('day', 'own.day'),
    ...rangeFilters({ created: 'own.created_at', updated: 'own.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'own.created_at', type: 'timestamptz' },
    updated_at: { sql: 'own.updated_at', type: 'timestamptz' },
    day: { sql: dayNumber('own.day'), type: 'integer' },
    minutes: { sql: 'own.minutes', type: 'integer' },
  },
  search: { where: containsText(['own.note']) },
};
