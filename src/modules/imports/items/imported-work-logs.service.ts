import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { groupBy } from '../../../common/group-by.js';
import { newId } from '../../../common/ids.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { LoggedTime, type HoursOfTask } from '../../tasks/imports/logged-time.service.js';
import {
  ImportedTimeEntries,
  type ChangedLength,
  type ImportedTimeEntry,
  type PresentTimeEntry,
} from '../../time-entries/imported-time-entries.service.js';
import { TimeEntriesService } from '../../time-entries/time-entries.service.js';
import { initialTimeOf, MOST_PER_TASK } from '../../time-entries/time-entry.rules.js';
import { RefusedLine, type ImportedWork } from '../reading/import-format.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import { ImportedPatches } from './imported-patches.service.js';
import type { ItemBatch, ReadLine } from './item-batch.js';
import { lineRefusalOf, validBodyOf } from '../reading/line-refusals.js';
import { pastOf } from '../reading/past-times.js';
import { nameOf } from '../reading/people.js';
import { printOf, type SourceValues } from '../reading/source-values.js';

/** An entry of the file on a task: what it says in the words of requests, and its key in a repeated import. */
interface Work {
  read: ReadLine;
  key: string;
  entry: ImportedTimeEntry;
}

/** What an import wrote of the work logs. */
interface WrittenWork {
  /** The number of new entries of the file; in a dry run, of those that would be new. */
  added: number;
  /** The ids of what was created, also of first entries that the file does not have. */
  created: string[];
  changed: string[];
}

/** Under which the key of an entry is stored besides its values. */
const KEY = 'key';
const DELETED = 'a work log entry was deleted here since the last import; left out';
const EDITED = 'edited here since the last import; left as it is';
const STRANGER = 'not a member; their work log is yours, with the name in the notes';

/** Imports the work logs of items as time entries: creates new ones, and changes those that changed in the source. */
@Injectable()
export class ImportedWorkLogs {
  constructor(
    private readonly endeavours: EndeavoursService,
    private readonly imported: ImportedTimeEntries,
    private readonly loggedTime: LoggedTime,
    private readonly patches: ImportedPatches,
    private readonly sources: ImportSourcesRepository,
    private readonly timeEntries: TimeEntriesService,
  ) {}

  async importAll(me: Caller, batch: ItemBatch, taskIds: ReadonlyMap<ReadLine, string>): Promise<WrittenWork> {
    const works = [...taskIds].flatMap(([read, id]) => this.worksOf(me, batch, read, id));
    if (works.length === 0) return { added: 0, created: [], changed: [] };
    const present = await this.imported.entriesOf([...new Set(works.map(({ entry }) => entry.taskId))]);
    const former = await this.sources.valuesOf(present.map(({ id }) => id));
    const byKey = new Map(present.map((entry) => [`${entry.taskId} ${former.get(entry.id)?.[KEY]}`, entry]));
    const missing: Work[] = [];
    const values = new Map<string, SourceValues>();
    const changed: string[] = [];
    for (const work of works) {
      const found = byKey.get(`${work.entry.taskId} ${work.key}`);
      if (found === undefined) missing.push(work);
      else if (await this.change(me, batch, work, found, former.get(found.id) ?? {}, values)) changed.push(found.id);
    }
    const fitting = withinBounds(missing, present, batch);
    const added = fitting.length;
    if (batch.state.isDryRun) return { added, created: [], changed };
    const { entries, lengths } = await this.create(me, batch, fitting, present);
    for (const { key, entry } of fitting) values.set(entry.id, sourceOf(key, entry));
    await this.sources.store(values);
    const shortened = lengths.map(({ entry }) => entry.id);
    return { added, created: entries.map(({ id }) => id), changed: [...changed, ...shortened] };
  }

  /** Reads the entries of a line; one that cannot be stored is refused. */
  private worksOf(me: Caller, { people, notes, refusals }: ItemBatch, read: ReadLine, taskId: string): Work[] {
    return (read.item.work ?? []).flatMap((work) => {
      const member = work.author === undefined ? undefined : people.resourceOf(work.author);
      const stranger = work.author !== undefined && member === undefined ? nameOf(work.author) : undefined;
      if (stranger !== undefined) notes.add('person', stranger, STRANGER, null);
      try {
        return { read, key: printOf(work.key), entry: this.entryOf(me, work, taskId, member, stranger) };
      } catch (error) {
        refusals.push(lineRefusalOf(read.line, error));
        return [];
      }
    });
  }

  private entryOf(
    me: Caller,
    { minutes, day, note: text, createdAt }: ImportedWork,
    taskId: string,
    member: string | undefined,
    stranger: string | undefined,
  ): ImportedTimeEntry {
    const id = newId('time_entry');
    const note = [stranger, text].filter((part) => part !== undefined).join(': ');
    // A dry run has no ids of new tasks.
    const body = { task_id: newId('task'), minutes, day, ...(note !== '' && { note }) };
    const dto = validBodyOf(this.imported.read(body));
    return {
      id,
      taskId,
      resourceId: member ?? me.resourceId,
      minutes: dto.minutes,
      day: dto.day,
      note: dto.note ?? null,
      isInitial: false,
      createdAt: pastOf(createdAt) ?? new Date(),
      createdBy: me.resourceId,
    };
  }

  /** Changes what changed in the source and not here, like PATCH; returns whether it did. */
  private async change(
    me: Caller,
    { notes, refusals, state }: ItemBatch,
    { read: { line }, key, entry }: Work,
    found: PresentTimeEntry,
    then: SourceValues,
    values: Map<string, SourceValues>,
  ): Promise<boolean> {
    const now = sourceOf(key, entry);
    const [wanted, here] = [valuesOf(entry), valuesOf(found)];
    const differing = Object.keys(wanted).filter((name) => now[name] !== then[name]);
    if (differing.length === 0) return false;
    if (found.isDeleted) {
      notes.add('kept', 'work log', DELETED, line.line);
      values.set(found.id, now);
      return false;
    }
    const open = differing.filter((name) => printOf(here[name]) !== now[name]);
    const edited = open.filter((name) => printOf(here[name]) !== then[name]);
    for (const name of edited) notes.add('kept', `work log ${name}`, EDITED, line.line);
    const names = open.filter((name) => !edited.includes(name));
    const changes: JsonRecord = Object.fromEntries(names.map((name) => [name, wanted[name]]));
    if (state.isDryRun) return names.length > 0;
    const refused = new Set<string>();
    const update = (body: JsonRecord) => this.timeEntries.update(me, found.id, this.imported.readChanges(body).dto);
    const isChanged = await this.patches.write({ changes, steps: [], update, line, refusals, refused });
    values.set(found.id, { ...now, ...Object.fromEntries([...refused].map((name) => [name, then[name]])) });
    return isChanged;
  }

  /**
   * Creates the entries. They are subtracted from the hours of a task that no entry accounts for; the rest of those is its
   * first entry, so that the sum stays.
   */
  private async create(
    me: Caller,
    { state, refusals }: ItemBatch,
    works: readonly Work[],
    present: readonly PresentTimeEntry[],
  ): Promise<{ entries: ImportedTimeEntry[]; lengths: ChangedLength[] }> {
    if (works.length === 0) return { entries: [], lengths: [] };
    const { containerId: endeavourId } = state;
    const byTask = groupBy(works, ({ entry }) => entry.taskId);
    const hours = await this.loggedTime.hoursOf([...byTask.keys()]);
    const timezone = await this.endeavours.timezoneOf(endeavourId);
    const entries: ImportedTimeEntry[] = [];
    const lengths: ChangedLength[] = [];
    for (const [taskId, ofTask] of byTask) {
      entries.push(...ofTask.map(({ entry }) => entry));
      const minutes = ofTask.reduce((sum, { entry }) => sum + entry.minutes, 0);
      const first = present.find((entry) => entry.taskId === taskId && entry.isInitial && !entry.isDeleted);
      if (first !== undefined) lengths.push({ entry: first, minutes: Math.max(0, first.minutes - minutes) });
      else entries.push(...this.restOf(me, ofTask[0], hours.get(taskId), minutes, timezone, refusals));
    }
    await this.imported.write(me, endeavourId, entries, lengths);
    return { entries, lengths };
  }

  /** The first entry of a task with the hours that the work log does not account for, if there are any. */
  private restOf(
    me: Caller,
    { read: { line }, entry: { taskId } }: Work,
    hours: HoursOfTask | undefined,
    minutes: number,
    timezone: string,
    refusals: ItemBatch['refusals'],
  ): ImportedTimeEntry[] {
    if (hours === undefined) return [];
    try {
      const initial = initialTimeOf({ row: hours }, timezone, new Date());
      if (initial === undefined || initial.minutes <= minutes) return [];
      const rest = { ...initial, id: newId('time_entry'), taskId, minutes: initial.minutes - minutes };
      return [{ ...rest, note: null, isInitial: true, createdAt: new Date(), createdBy: me.resourceId }];
    } catch (error) {
      refusals.push(lineRefusalOf(line, error));
      return [];
    }
  }
}

/** The properties of an entry that a file can change, by their names in requests. */
const valuesOf = ({ minutes, day, note, resourceId }: Omit<PresentTimeEntry, 'isDeleted'>): JsonRecord => ({
  minutes,
  day,
  note,
  resource_id: resourceId,
});

const sourceOf = (key: string, entry: ImportedTimeEntry): SourceValues => ({
  [KEY]: key,
  ...Object.fromEntries(Object.entries(valuesOf(entry)).map(([name, value]) => [name, printOf(value)])),
});

/** Refuses entries beyond the most that a task has. */
function withinBounds(works: readonly Work[], present: readonly PresentTimeEntry[], { refusals }: ItemBatch): Work[] {
  const counts = new Map<string, number>();
  for (const { taskId, isDeleted } of present) {
    if (!isDeleted) counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
  }
  return works.filter(({ read, entry: { taskId } }) => {
    const count = (counts.get(taskId) ?? 0) + 1;
    counts.set(taskId, count);
    if (count < MOST_PER_TASK) return true;
    const message = `The task already has ${MOST_PER_TASK} time entries.`;
    refusals.push(lineRefusalOf(read.line, new RefusedLine(message, 'conflict', 'too_many_time_entries')));
    return false;
  });
}
