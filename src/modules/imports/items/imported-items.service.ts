import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { FieldError } from '../../../common/errors.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { ImportedTasks, type ImportedTask, type TaskHistory } from '../../tasks/imports/imported-tasks.service.js';
import type { ImportedPerson, ImportItem } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { ItemBatch, ReadLine } from './item-batch.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import { ImportedRemarks } from './imported-remarks.service.js';
import { ImportedUpdates } from './imported-updates.service.js';
import { ImportedWorkLogs } from './imported-work-logs.service.js';
import { lineRefusalOf, validBodyOf } from '../reading/line-refusals.js';
import { pastOf } from '../reading/past-times.js';
import { assigneeOf, importedNotes } from '../reading/people.js';
import { sourceValuesOf, type SourceValues } from '../reading/source-values.js';

type Counts = Record<'created' | 'updated' | 'unchanged' | 'comments', number> & {
  comments_changed?: number;
  time_entries?: number;
  time_entries_changed?: number;
};

/** Imports batches of items: creates new tasks and patches existing ones. */
@Injectable()
export class ImportedItems {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly importedTasks: ImportedTasks,
    private readonly remarks: ImportedRemarks,
    private readonly sources: ImportSourcesRepository,
    private readonly updates: ImportedUpdates,
    private readonly workLogs: ImportedWorkLogs,
  ) {}

  async importBatch(me: Caller, batch: ItemBatch, lines: readonly ReadLine[]): Promise<Counts> {
    const counts: Counts = { created: 0, updated: 0, unchanged: 0, comments: 0 };
    const { state } = batch;
    const { containerId: endeavourId, options, isDryRun } = state;
    for (const { item } of lines) noteStrangers(item, batch);
    const ids = lines.flatMap(({ item }) => item.externalId ?? []);
    const existing = new Map(
      (await this.importedTasks.existing(endeavourId, options.source, ids)).map((task) => [task.externalId, task]),
    );
    const taskIds = new Map<ReadLine, string>();
    const values = new Map<string, SourceValues>();
    // New tasks come first: an update that ends the last open task would complete the endeavour before they exist.
    const isNew = ({ item }: ReadLine) => !existing.has(item.externalId ?? '');
    const created = await this.create(me, batch, lines.filter(isNew));
    counts.created = created.length;
    for (const { read, id } of created) {
      taskIds.set(read, id);
      if (!isDryRun) values.set(id, sourceValuesOf(read.item, assigneeOf(read.item, batch.people) ?? null));
    }
    const changed: string[] = [];
    const former = await this.sources.valuesOf([...existing.values()].map(({ id }) => id));
    for (const read of lines) {
      const task = existing.get(read.item.externalId ?? '');
      if (task === undefined) continue;
      const { outcome, source } = await this.updates.update(me, batch, read, task, former.get(task.id));
      if (outcome !== undefined) counts[outcome] += 1;
      if (outcome === 'updated') changed.push(task.id);
      if (source !== undefined) values.set(task.id, source);
      taskIds.set(read, task.id);
    }
    for (const { line } of taskIds.keys()) batch.imported.add(line.number);
    const remarks = await this.remarks.importAll(me, batch, taskIds);
    counts.comments = remarks.created.length;
    if (remarks.changed.length > 0) counts.comments_changed = remarks.changed.length;
    const work = await this.workLogs.importAll(me, batch, taskIds);
    if (work.added > 0) counts.time_entries = work.added;
    if (work.changed.length > 0) counts.time_entries_changed = work.changed.length;
    if (isDryRun) return counts;
    await this.sources.store(values);
    const createdIds = [...created.map(({ id }) => id), ...remarks.created, ...work.created];
    await this.sources.addResults(state.id, 'created', createdIds);
    await this.sources.addResults(state.id, 'updated', [...changed, ...remarks.changed, ...work.changed]);
    return counts;
  }

  /** Creates tasks from the lines that can be imported; returns them with the ids of the tasks. */
  private async create(
    me: Caller,
    batch: ItemBatch,
    lines: readonly ReadLine[],
  ): Promise<{ read: ReadLine; id: string }[]> {
    const { containerId: endeavourId, isDryRun } = batch.state;
    const readable = lines.flatMap((read) => {
      try {
        return { read, task: this.taskOf(me, batch, read) };
      } catch (error) {
        batch.refusals.push(lineRefusalOf(read.line, error));
        return [];
      }
    });
    if (isDryRun || readable.length === 0) return readable.map(({ read }) => ({ read, id: '' }));
    // 409 if the endeavour has been completed since the import started.
    this.endeavours.assertTakesWork(await this.access.authorize(me, 'imports_create', endeavourId));
    const tasks = readable.map(({ task }) => task);
    const ids = await this.importedTasks.createAll(me, endeavourId, tasks);
    return readable.map(({ read }, at) => ({ read, id: ids[at] }));
  }

  private taskOf(me: Caller, { state, people, notes }: ItemBatch, { item, line }: ReadLine): ImportedTask {
    const { containerId: endeavourId, format, options } = state;
    const { source } = options;
    const ref = item.externalId === null ? undefined : { source, id: item.externalId, url: item.url };
    const body: JsonRecord = {
      title: item.title,
      endeavour_id: endeavourId,
      ...(typeof item.description === 'string' && { description: item.description }),
      ...(startsInTime(item, notes, line.line) && { start_date: item.startDate }),
      ...(typeof item.dueDate === 'string' && { due_date: item.dueDate }),
      ...(typeof item.estimate === 'number' && { estimate: item.estimate }),
      ...(typeof item.points === 'number' && { points: item.points }),
      ...(typeof item.priority === 'string' && { priority: item.priority }),
      ...(item.labels && { labels: item.labels }),
      ...(item.stage !== undefined && { stage: item.stage }),
      metadata: {
        ...Object.fromEntries(Object.entries(item.metadata).filter(([, value]) => value !== null)),
        imported: { format, ...importedNotes(item, people) },
      },
      ...(ref && { external_ref: ref }),
    };
    let read = this.importedTasks.read(body);
    if (read.fieldErrors.length > 0) {
      read = this.importedTasks.read(withoutInvalidSides(body, read.fieldErrors, notes, line.line));
    }
    const dto = validBodyOf(read);
    // The limits of a task apply to its imported history as well.
    const { actual, canceledReason } = item;
    if (typeof actual === 'number' || canceledReason !== undefined) {
      validBodyOf(this.importedTasks.readChanges({ actual, canceled_reason: canceledReason }));
    }
    // Only administrators keep the original authors: other importers could attribute false texts to members.
    const author = me.isAdmin && item.author !== undefined ? people.resourceOf(item.author) : undefined;
    return {
      ...historyOf(item),
      dto,
      actual: actual ?? null,
      number: item.number ?? null,
      assigneeId: assigneeOf(item, people) ?? null,
      creatorId: author ?? me.resourceId,
    };
  }
}

/** Names the people who are not members. */
function noteStrangers({ author, assignees = [], comments }: ImportItem, { people, notes }: ItemBatch): void {
  const named = [author, ...assignees, ...comments.map((comment) => comment.author)];
  const strangers = named.filter(
    (one): one is ImportedPerson => one !== undefined && people.resourceOf(one) === undefined,
  );
  for (const person of strangers) {
    const name = person.name ?? person.login ?? person.email ?? '';
    notes.add('person', name, 'not a member; kept as a name in metadata.imported', null);
  }
}

const SIDES = ['external_ref.url', 'estimate', 'points', 'start_date', 'due_date'];

/** Whether the item has a first day that is not after its due date; notes the one that is. */
function startsInTime({ startDate, dueDate }: ImportItem, notes: ImportNotes, line: number): boolean {
  if (typeof startDate !== 'string') return false;
  if (typeof dueDate !== 'string' || startDate <= dueDate.slice(0, startDate.length)) return true;
  notes.add('value', 'start_date', 'start_date must not be after the day of due_date. Left out.', line);
  return false;
}

/** Leaves out properties beside the title and the text that are not valid, and notes them. */
function withoutInvalidSides(
  body: JsonRecord,
  errors: readonly FieldError[],
  notes: ImportNotes,
  line: number,
): JsonRecord {
  const invalid = errors.filter(({ field }) => SIDES.includes(field));
  const copy = structuredClone(body);
  for (const { field, message } of invalid) {
    notes.add('value', field, `${message} Left out.`, line);
    if (field === 'external_ref.url') delete (copy.external_ref as JsonRecord).url;
    else delete copy[field];
  }
  return copy;
}

/** Returns the status and times of a task, adjusted so that it is created before it is started, and started before it ends. */
function historyOf({ status = 'planned', canceledReason, ...item }: ImportItem): TaskHistory {
  const isOver = status === 'done' || status === 'canceled';
  const ended = isOver ? (pastOf(item.endedAt) ?? new Date()) : null;
  const started = pastOf(item.startedAt) ?? null;
  const known = [pastOf(item.createdAt), started, ended].filter((time) => time instanceof Date);
  const createdAt = pastOf(item.createdAt) ?? new Date(Math.min(...known.map(Number), Date.now()));
  const endedAt = ended && (ended < createdAt ? createdAt : ended);
  const startedAt = status === 'active' ? (started ?? createdAt) : status === 'planned' ? null : started;
  return {
    status,
    canceledReason: status === 'canceled' ? (canceledReason ?? 'Canceled elsewhere.') : null,
    createdAt,
    startedAt: startedAt && between(createdAt, startedAt, endedAt ?? new Date()),
    endedAt,
  };
}

const between = (min: Date, time: Date, max: Date): Date => (time < min ? min : time > max ? max : time);
