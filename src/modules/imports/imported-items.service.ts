import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import type { JsonRecord } from '../../common/json.js';
import { mergePatch, sameJson } from '../../common/json.js';
import { dayEdge, parseDay, parseInstant } from '../../common/time.js';
import { Database } from '../../platform/database/database.js';
import { inSavepoint } from '../../platform/http/savepoint.js';
import { ImportedComments, type ImportedComment } from '../comments/imported-comments.service.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import {
  ImportedTasks,
  type ImportedTask,
  type PresentTask,
  type TaskHistory,
} from '../tasks/imported-tasks.service.js';
import { TasksService } from '../tasks/tasks.service.js';
import type { ImportedPerson, ImportItem } from './import-format.js';
import { validBodyOf, contentError, lineRefusalOf } from './line-refusals.js';
import type { ImportState, LineRefusal, StoredLine } from './imports.repository.js';
import { nameOf, type ImportPeople } from './people.js';

/** A line and the item that was read from it. */
export interface ReadLine {
  line: StoredLine;
  item: ImportItem;
}

type Counts = Record<'created' | 'updated' | 'unchanged' | 'comments', number>;

/** Imports batches of items: creates new tasks and patches existing ones. */
@Injectable()
export class ImportedItems {
  constructor(
    private readonly access: Access,
    private readonly comments: ImportedComments,
    private readonly database: Database,
    private readonly endeavours: EndeavoursService,
    private readonly importedTasks: ImportedTasks,
    private readonly tasks: TasksService,
  ) {}

  async importBatch(
    me: Caller,
    state: ImportState,
    lines: readonly ReadLine[],
    people: ImportPeople,
    refusals: LineRefusal[],
  ): Promise<Counts> {
    const counts: Counts = { created: 0, updated: 0, unchanged: 0, comments: 0 };
    const { containerId: endeavourId, options, isDryRun } = state;
    const ids = lines.flatMap(({ item }) => item.externalId ?? []);
    const existing = new Map(
      (await this.importedTasks.existing(endeavourId, options.source, ids)).map((task) => [task.externalId, task]),
    );
    const taskIds = new Map<ReadLine, string>();
    const isNew = ({ item }: ReadLine) => !existing.has(item.externalId ?? '');
    // New tasks come first: an update that ends the last open task would complete the endeavour before they exist.
    const created = lines.filter(isNew).flatMap((read) => {
      try {
        return { read, task: this.taskOf(me, state, read.item, people) };
      } catch (error) {
        refusals.push(lineRefusalOf(read.line, error));
        return [];
      }
    });
    counts.created = created.length;
    if (!isDryRun && created.length > 0) {
      await this.assertTakesWork(me, endeavourId);
      const tasks = created.map(({ task }) => task);
      const newIds = await this.importedTasks.createAll(me, endeavourId, tasks);
      for (const [at, { read }] of created.entries()) taskIds.set(read, newIds[at]);
    }
    for (const read of lines) {
      const task = existing.get(read.item.externalId ?? '');
      if (task === undefined) continue;
      try {
        counts[await this.update(me, state, task, read.item, people)] += 1;
        taskIds.set(read, task.id);
      } catch (error) {
        refusals.push(lineRefusalOf(read.line, error));
      }
    }
    if (isDryRun) return counts;
    const comments = [...taskIds].flatMap(([{ line, item }, id]) =>
      this.commentsOf(me, id, item, people, line, refusals),
    );
    counts.comments = await this.comments.createAll(me, endeavourId, comments);
    return counts;
  }

  /** 409 if the endeavour has been completed since the import started. */
  private async assertTakesWork(me: Caller, endeavourId: string): Promise<void> {
    this.endeavours.assertTakesWork(await this.access.authorize(me, 'imports_create', endeavourId));
  }

  private taskOf(
    me: Caller,
    { containerId: endeavourId, format, options }: ImportState,
    item: ImportItem,
    people: ImportPeople,
  ): ImportedTask {
    const body = { ...this.fieldsOf(item, format, people), title: item.title, endeavour_id: endeavourId };
    const { source } = options;
    const ref = item.externalId === null ? undefined : { source, id: item.externalId, url: item.url };
    const dto = validBodyOf(this.importedTasks.read({ ...body, ...(ref && { external_ref: ref }) }));
    // The limits of a task apply to its imported history as well.
    const { actual, canceledReason } = item;
    if (actual !== undefined || canceledReason !== undefined) {
      validBodyOf(this.importedTasks.readChanges({ actual, canceled_reason: canceledReason }));
    }
    // Only administrators keep the original authors: other importers could attribute false texts to members.
    const author = me.isAdmin && item.author !== undefined ? people.resourceOf(item.author) : undefined;
    return {
      ...historyOf(item),
      dto,
      actual: item.actual ?? null,
      assigneeId: (item.assignee && people.resourceOf(item.assignee)) ?? null,
      creatorId: author ?? me.resourceId,
    };
  }

  /** Patches only the properties that differ. */
  private async update(
    me: Caller,
    { format, isDryRun }: ImportState,
    task: PresentTask,
    item: ImportItem,
    people: ImportPeople,
  ): Promise<'updated' | 'unchanged'> {
    const { metadata, ...fields } = this.fieldsOf(item, format, people);
    const merged = mergePatch(task.metadata, metadata);
    const assignee = item.assignee && people.resourceOf(item.assignee);
    const hasNewStatus = item.status !== undefined && item.status !== task.status;
    const imported: JsonRecord = { title: item.title, ...fields, assignee_id: assignee, actual: item.actual };
    const current: JsonRecord = {
      title: task.title,
      description: task.description,
      estimate: task.estimate,
      actual: task.actual,
      assignee_id: task.assigneeId,
    };
    const changes = Object.fromEntries(
      Object.entries(imported).filter(([name, value]) => value !== undefined && !isSame(name, value, current, task)),
    );
    if (!sameJson(merged, task.metadata)) changes.metadata = metadata;
    if (hasNewStatus) Object.assign(changes, { status: item.status });
    if (hasNewStatus && item.status === 'canceled')
      changes.canceled_reason = item.canceledReason ?? 'Canceled elsewhere.';
    if (Object.keys(changes).length === 0) return 'unchanged';
    const dto = validBodyOf(this.importedTasks.readChanges(changes));
    if (isDryRun) return 'updated';
    const refusal = await inSavepoint(this.database, () => this.tasks.update(me, task.id, dto));
    if (refusal !== undefined) throw refusal;
    return 'updated';
  }

  /** Returns the properties that POST and PATCH have in common, with the names of people in the metadata. */
  private fieldsOf(item: ImportItem, format: string, people: ImportPeople): JsonRecord & { metadata: JsonRecord } {
    const { author, assignee } = item;
    const isUnknown = (person: ImportedPerson | undefined) =>
      person !== undefined && people.resourceOf(person) === undefined;
    return {
      ...(item.description !== undefined && { description: item.description }),
      ...(item.dueDate !== undefined && { due_date: item.dueDate }),
      ...(item.estimate !== undefined && { estimate: item.estimate }),
      metadata: {
        ...item.metadata,
        imported: {
          format,
          ...(author !== undefined && { author: nameOf(author) }),
          ...(assignee !== undefined && isUnknown(assignee) && { assignee: nameOf(assignee) }),
        },
      },
    };
  }

  private commentsOf(
    me: Caller,
    taskId: string,
    item: ImportItem,
    people: ImportPeople,
    line: ReadLine['line'],
    refusals: LineRefusal[],
  ): ImportedComment[] {
    return item.comments.flatMap(({ key, author, content, createdAt }) => {
      if (content.trim() === '') return [];
      const originalAuthor = me.isAdmin && author !== undefined ? people.resourceOf(author) : undefined;
      const error = contentError(content);
      if (error !== undefined) {
        refusals.push(lineRefusalOf(line, error));
        return [];
      }
      return {
        entityType: 'task' as const,
        entityId: taskId,
        importKey: key,
        content,
        authorId: originalAuthor ?? me.resourceId,
        createdAt: pastOf(createdAt) ?? new Date(),
        metadata: { imported: author === undefined ? {} : { author: nameOf(author) } },
      };
    });
  }
}

/** Parses a time and limits it to the present. */
function pastOf(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(Math.min(Date.parse(time), Date.now()));
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

function isSame(name: string, value: unknown, current: JsonRecord, task: PresentTask): boolean {
  return name === 'due_date' ? isSameDueDate(String(value), task) : sameJson(current[name] ?? null, value);
}

/** Whether the text, a day or an instant, means the due date of the task; false if it is neither. */
function isSameDueDate(text: string, { dueDate, timezone }: PresentTask): boolean {
  const day = parseDay(text);
  const instant = day ? dayEdge(day, 'end', timezone) : parseInstant(text);
  return instant !== undefined && instant.getTime() === dueDate?.getTime();
}
