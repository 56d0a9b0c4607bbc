import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import type { JsonRecord } from '../../common/json.js';
import { sameJson } from '../../common/json.js';
import type { TaskStatus } from '../../common/statuses.js';
import { Database } from '../../platform/database/database.js';
import { inSavepoint } from '../../platform/http/savepoint.js';
import { ImportedTasks, type PresentTask } from '../tasks/imported-tasks.service.js';
import { taskSteps } from '../tasks/task-steps.js';
import { TasksService } from '../tasks/tasks.service.js';
import { RefusedLine } from './import-format.js';
import type { ItemBatch, ReadLine } from './item-batch.js';
import type { StoredLine } from './imports.repository.js';
import { lineRefusalOf } from './line-refusals.js';
import { assigneeOf, importedNotes } from './people.js';
import { changesOf, sourceValuesOf, type SourceValues } from './source-values.js';

/** The result of an update: undefined if everything that the line changes was refused. */
export interface ItemUpdate {
  outcome: 'updated' | 'unchanged' | undefined;
  /** The values to keep for the next import; undefined if they stay. */
  source?: SourceValues;
}

/** Changes existing tasks to what changed in the other system since the last import. */
@Injectable()
export class ImportedUpdates {
  constructor(
    private readonly database: Database,
    private readonly importedTasks: ImportedTasks,
    private readonly tasks: TasksService,
  ) {}

  async update(
    me: Caller,
    batch: ItemBatch,
    { line, item }: ReadLine,
    task: PresentTask,
    then: SourceValues | undefined,
  ): Promise<ItemUpdate> {
    const { state, people, notes } = batch;
    const assigneeId = assigneeOf(item, people) ?? null;
    const found = changesOf(item, task, then, assigneeId);
    for (const name of found.kept) {
      notes.add('kept', name, 'edited here since the last import, and not in the source; left as it is', line.line);
    }
    const imported = importedPatch(task, { format: state.format, ...importedNotes(item, people) });
    const changes = this.valid(batch, line, {
      ...found.changes,
      ...(imported && { metadata: { ...(found.changes.metadata as JsonRecord | undefined), imported } }),
    });
    const reason = item.canceledReason ?? 'Canceled elsewhere.';
    const refused = new Set(Object.keys(found.changes).filter((name) => !Object.hasOwn(changes, name)));
    const hasChanges = Object.keys(changes).length > 0 || found.status !== undefined;
    let isChanged = hasChanges;
    if (hasChanges && !state.isDryRun) {
      isChanged = await this.write(me, batch, line, { task, changes, status: found.status, reason, refused });
    }
    const source = { ...then, ...sourceValuesOf(item, assigneeId) };
    for (const name of refused) keepFormer(source, then, name);
    const outcome = isChanged ? 'updated' : refused.size > 0 ? undefined : 'unchanged';
    return { outcome, ...(then !== undefined && sameJson(then, source) ? {} : { source }) };
  }

  /** Writes the changes, each by itself if a rule refuses them together, and then the status step by step. */
  private async write(
    me: Caller,
    { refusals }: ItemBatch,
    line: StoredLine,
    { task, changes, status, reason, refused }: WrittenItem,
  ): Promise<boolean> {
    let isChanged = false;
    const attempt = async (name: string, bodies: readonly JsonRecord[], isFinal = true): Promise<boolean> => {
      const refusal = await inSavepoint(this.database, async () => {
        for (const body of bodies) await this.tasks.update(me, task.id, this.importedTasks.readChanges(body).dto);
      });
      if (refusal === undefined) return (isChanged = true);
      if (isFinal) {
        refused.add(name);
        refusals.push(lineRefusalOf(line, refusal));
      }
      return false;
    };
    const names = Object.keys(changes);
    const isOne = names.length < 2;
    if (names.length > 0 && !(await attempt(names[0], [changes], isOne)) && !isOne) {
      for (const name of names) await attempt(name, [{ [name]: changes[name] }]);
    }
    if (status !== undefined) await attempt('status', stepsTo(task.status, status, reason));
    return isChanged;
  }

  /** Returns the changes that PATCH accepts; each other one becomes a refusal. */
  private valid({ refusals }: ItemBatch, line: StoredLine, changes: JsonRecord): JsonRecord {
    const { fieldErrors } = this.importedTasks.readChanges(changes);
    if (fieldErrors.length === 0) return changes;
    const invalid = new Set(fieldErrors.map(({ field }) => field.split('.')[0]));
    for (const { field, message, code } of fieldErrors) {
      refusals.push(lineRefusalOf(line, new RefusedLine(`${field}: ${message}`, 'invalid_input', code)));
    }
    return Object.fromEntries(Object.entries(changes).filter(([name]) => !invalid.has(name)));
  }
}

interface WrittenItem {
  task: PresentTask;
  changes: JsonRecord;
  status: TaskStatus | undefined;
  reason: string;
  refused: Set<string>;
}

/** Returns the patches on the way to a status. */
const stepsTo = (from: TaskStatus, to: TaskStatus, reason: string): JsonRecord[] =>
  taskSteps(from, to).map((status) => ({ status, ...(status === 'canceled' && { canceled_reason: reason }) }));

/** The merge patch that brings `metadata.imported` up to date; undefined if it is. Former authors stay. */
function importedPatch(task: PresentTask, now: JsonRecord): JsonRecord | undefined {
  const here = task.metadata.imported;
  const before = (typeof here === 'object' && here !== null ? here : {}) as JsonRecord;
  const removed = ['assignee', 'assignees'].filter((name) => name in before && !(name in now));
  const patch = {
    ...Object.fromEntries(Object.entries(now).filter(([name, value]) => !sameJson(before[name] ?? null, value))),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Keeps the values of the last import for what was refused, so that the next import tries it again. */
function keepFormer(source: SourceValues, then: SourceValues | undefined, name: string): void {
  for (const key of Object.keys(source)) {
    if (key !== name && !(name === 'metadata' && key.startsWith('metadata.'))) continue;
    if (then?.[key] === undefined) delete source[key];
    else source[key] = then[key];
  }
}
