import type { Containment } from '../../platform/containment/containment.js';
import type { TimeEntry } from './time-entry.entity.js';
import { timeEntryView } from './time-entry.view.js';

/** Archiving an endeavour leaves the time that was spent on its tasks as it is. */
export const timeEntryContainment: Containment<TimeEntry> = { exportKey: 'time_entries', view: timeEntryView };
