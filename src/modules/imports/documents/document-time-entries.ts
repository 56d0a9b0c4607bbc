import type { JsonRecord } from '../../../common/texts/json.js';
import type { ImportedTimeEntries, ImportedTimeEntry } from '../../time-entries/imported-time-entries.service.js';
import { MOST_INITIAL } from '../../time-entries/time-entry.rules.js';
import { textOf } from '../formats/values.js';
import { RefusedLine } from '../reading/import-format.js';
import { validBodyOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import * as items from './document-items.js';

const FIELDS = ['minutes', 'day', 'note'];

/**
 * Reads a time entry with that id. The time of people who are not members becomes that of the importer, with their name
 * in the note, so that the sum stays.
 */
export function timeEntryOf(
  timeEntries: ImportedTimeEntries,
  data: JsonRecord,
  context: DocumentContext,
  containerId: string,
  id: string,
): ImportedTimeEntry {
  const taskId = context.referenceOf(data, 'task_id') ?? '';
  const isInitial = data.is_initial === true;
  const body = { ...items.pick(data, FIELDS), task_id: taskId, ...(isInitial && { minutes: 1 }) };
  const { worker } = context.namesOf(data, containerId, { worker: { property: 'resource_id' } });
  const note = [worker, data.note].filter((part) => textOf(part) !== undefined).join(': ');
  const dto = validBodyOf(timeEntries.read({ ...body, note }));
  return {
    id,
    taskId,
    resourceId: context.memberOf(data, 'resource_id', containerId) ?? context.me.resourceId,
    minutes: isInitial ? initialMinutesOf(data) : dto.minutes,
    day: dto.day,
    note: dto.note ?? null,
    isInitial,
    createdAt: items.createdAtOf(data),
    createdBy: context.authorOf(data, 'created_by', containerId),
  };
}

/** The hours that a task had before its first entry can be more than a day. */
function initialMinutesOf({ minutes }: JsonRecord): number {
  if (Number.isInteger(minutes) && (minutes as number) >= 1 && (minutes as number) <= MOST_INITIAL) {
    return minutes as number;
  }
  throw new RefusedLine(`minutes must be an integer between 1 and ${MOST_INITIAL}.`, 'invalid_input', 'out_of_range');
}
