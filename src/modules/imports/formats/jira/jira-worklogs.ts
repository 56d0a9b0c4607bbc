import { recordOf, recordsOf, textOf } from '../values.js';
import type { JsonRecord } from '../../../../common/texts/json.js';
import type { ImportedPerson, ImportedWork } from '../../reading/import-format.js';
import { personOf, quoted, type Reading } from '../../reading/reading.js';
import { plainText } from './jira-text.js';
import { MOST_MINUTES } from '../../../time-entries/time-entry.rules.js';

/** The most entries of one issue that are read. */
const MAX_ENTRIES = 1_000;
const NAME = 'work log entries';

/** An entry as the file has it. */
interface Entry {
  key: string;
  text: string;
  author: ImportedPerson | undefined;
  started: unknown;
  seconds: unknown;
  created?: unknown;
}

/** Reads the work log of an issue of the API; a search has only the first entries. */
export function workOfIssue(
  fields: JsonRecord,
  reading: Reading,
  someone: (value: unknown) => ImportedPerson | undefined,
): ImportedWork[] | undefined {
  if (!Object.hasOwn(fields, 'worklog')) return undefined;
  const worklog = recordOf(fields.worklog);
  const entries = recordsOf(worklog.worklogs);
  reading.truncated(NAME, entries.length, worklog.total);
  return readable(
    entries.map(({ id, author, comment, started, timeSpentSeconds, created }) => ({
      key: textOf(id) ?? `${textOf(started) ?? ''};${textOf(recordOf(author).displayName) ?? ''}`,
      text: plainText(comment) ?? '',
      author: someone(author),
      started,
      seconds: timeSpentSeconds,
      created,
    })),
    reading,
  );
}

/** Reads cells such as `Dug the hole; filled it;20/Nov/26 10:00 AM;ann;3600`. */
export function workOfCells(cells: readonly string[], reading: Reading): ImportedWork[] {
  const entries = cells.flatMap((cell): Entry[] => {
    const parts = cell.split(';');
    if (parts.length < 3) {
      reading.note('value', 'Log Work', `${quoted(cell)} has no date, author and seconds; left out`);
      return [];
    }
    const [started, author, seconds] = parts.splice(-3);
    const key = `${started};${author}`;
    return [{ key, text: parts.join(';'), author: personOf(author), started, seconds, created: started }];
  });
  return readable(entries, reading);
}

function readable(entries: readonly Entry[], reading: Reading): ImportedWork[] {
  if (entries.length > MAX_ENTRIES) {
    reading.note('value', NAME, `more than ${MAX_ENTRIES} entries of one issue; the others are left out`);
  }
  const counts = new Map<string, number>();
  return entries.slice(0, MAX_ENTRIES).flatMap((entry) => {
    const count = (counts.get(entry.key) ?? 0) + 1;
    counts.set(entry.key, count);
    return workOf(count === 1 ? entry : { ...entry, key: `${entry.key};${count}` }, reading) ?? [];
  });
}

/** Returns the entry, unless it has no day or a length that a time entry cannot have, which are noted. */
function workOf({ key, text, author, started, seconds, created }: Entry, reading: Reading): ImportedWork | undefined {
  const day = reading.sideDay(started, 'date of a work log entry');
  const minutes = minutesOf(seconds);
  if (minutes === undefined) {
    const said = `${quoted(textOf(seconds) ?? '')} seconds`;
    reading.note('value', NAME, `${said} are no length between a second and ${MOST_MINUTES} minutes; left out`);
  } else if (day === undefined && textOf(started) === undefined) {
    reading.note('value', NAME, 'an entry has no date; left out');
  }
  if (minutes === undefined || day === undefined) return undefined;
  const note = text.trim();
  return {
    key,
    author,
    minutes,
    day,
    ...(note !== '' && { note }),
    createdAt: reading.sideTime(created, 'creation of a work log entry'),
  };
}

/** Whole minutes, at least one; undefined if a time entry cannot be that long. */
function minutesOf(value: unknown): number | undefined {
  const seconds = Number(textOf(value)?.trim() ?? '');
  const minutes = Math.max(1, Math.round(seconds / 60));
  return Number.isFinite(seconds) && seconds > 0 && minutes <= MOST_MINUTES ? minutes : undefined;
}
