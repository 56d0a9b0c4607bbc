import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { sameJson } from '../../../common/texts/json.js';
import { ImportedTasks, type PresentTask } from '../../tasks/imports/imported-tasks.service.js';
import { taskLifecycle } from '../../tasks/task.lifecycle.js';
import { TasksService } from '../../tasks/tasks.service.js';
import type { ItemBatch, ReadLine } from './item-batch.js';
import { ImportedPatches, stepsTo, validChanges } from './imported-patches.service.js';
import { assigneeOf, importedNotes } from '../reading/people.js';
import { changesOf, sourceValuesOf, type SourceValues } from '../reading/source-values.js';

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
    private readonly importedTasks: ImportedTasks,
    private readonly patches: ImportedPatches,
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
    const wanted = {
      ...found.changes,
      ...(imported && { metadata: { ...(found.changes.metadata as JsonRecord | undefined), imported } }),
    };
    const changes = validChanges(wanted, this.importedTasks.readChanges(wanted).fieldErrors, line, batch.refusals);
    const reason = item.canceledReason ?? 'Canceled elsewhere.';
    const refused = new Set(Object.keys(found.changes).filter((name) => !Object.hasOwn(changes, name)));
    const steps = found.status === undefined ? [] : stepsTo(taskLifecycle, task.status, found.status, reason);
    enterInLast(steps, changes);
    let isChanged = Object.keys(changes).length > 0 || steps.length > 0;
    if (isChanged && !state.isDryRun) {
      const update = (body: JsonRecord) => this.tasks.update(me, task.id, this.importedTasks.readChanges(body).dto);
      isChanged = await this.patches.write({ changes, steps, update, line, refusals: batch.refusals, refused });
    }
    if (refused.has('status')) refused.add('stage');
    const source = { ...then, ...sourceValuesOf(item, assigneeId) };
    for (const name of refused) keepFormer(source, then, name);
    const outcome = isChanged ? 'updated' : refused.size > 0 ? undefined : 'unchanged';
    return { outcome, ...(then !== undefined && sameJson(then, source) ? {} : { source }) };
  }
}

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

/** Lets the last of several status changes lead to the stage, which another status could not have. */
function enterInLast(steps: JsonRecord[], changes: JsonRecord): void {
  const last = steps.at(-1);
  if (last === undefined || changes.stage === undefined) return;
  last.stage = changes.stage;
  delete changes.stage;
}
