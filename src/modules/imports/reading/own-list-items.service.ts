import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { fieldsFor, type DeclaredField } from '../../../common/declared-field.js';
import { notFound } from '../../../common/errors.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { Lifecycle } from '../../../common/lifecycle.js';
import type { Representation } from '../../../platform/database/views/view.js';
import type { ReadBody } from '../../../platform/http/bodies/fields/body-reader.js';
import { ArtifactsService } from '../../artifacts/artifacts.service.js';
import { ImportedArtifacts } from '../../artifacts/imported-artifacts.service.js';
import { demandLifecycle } from '../../demands/demand.lifecycle.js';
import { DemandsService } from '../../demands/demands.service.js';
import { ImportedDemands } from '../../demands/imported-demands.service.js';
import { ImportedTasks } from '../../tasks/imports/imported-tasks.service.js';
import { taskLifecycle } from '../../tasks/task.lifecycle.js';
import { TasksService } from '../../tasks/tasks.service.js';
import { ownRowOf, type OwnKind, type OwnRow } from '../formats/own-rows.js';
import { RefusedLine } from './import-format.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import { ImportedPatches, stepsTo, validChanges } from '../items/imported-patches.service.js';
import type { StoredLine } from '../imports.repository.js';
import type { ItemBatch } from '../items/item-batch.js';
import { lineRefusalOf } from './line-refusals.js';
import { OWN_FIELDS } from './own-fields.js';
import { isFieldColumn, OwnValues } from './own-values.js';
import { Reading } from './reading.js';

/** What can be changed of a kind, and how. */
interface OwnHandler {
  get(me: Caller, id: string): Promise<Representation>;
  update(me: Caller, id: string, body: JsonRecord): Promise<unknown>;
  read(body: JsonRecord): Pick<ReturnType<ReadBody<object>>, 'fieldErrors'>;
  /** Without one, the status is a property like others. */
  lifecycle?: Lifecycle<string>;
}

const fieldsOfKind = (fields: Parameters<typeof fieldsFor>[0], kind: OwnKind): DeclaredField[] =>
  kind === 'artifact' ? [] : fieldsFor(fields, kind);

type Outcome = 'updated' | 'unchanged';

/** Takes back lists of this service: changes the things to what was edited in the file. */
@Injectable()
export class OwnListItems {
  private readonly handlers: Readonly<Record<OwnKind, OwnHandler>>;

  constructor(
    private readonly patches: ImportedPatches,
    private readonly sources: ImportSourcesRepository,
    artifacts: ArtifactsService,
    demands: DemandsService,
    importedArtifacts: ImportedArtifacts,
    importedDemands: ImportedDemands,
    importedTasks: ImportedTasks,
    tasks: TasksService,
  ) {
    this.handlers = {
      task: {
        get: (me, id) => tasks.get(me, id),
        update: (me, id, body) => tasks.update(me, id, importedTasks.readChanges(body).dto),
        read: (body) => importedTasks.readChanges(body),
        lifecycle: taskLifecycle,
      },
      demand: {
        get: (me, id) => demands.get(me, id),
        update: (me, id, body) => demands.update(me, id, importedDemands.readChanges(body).dto),
        read: (body) => importedDemands.readChanges(body),
        lifecycle: demandLifecycle,
      },
      artifact: {
        get: (me, id) => artifacts.get(me, id),
        update: (me, id, body) => artifacts.update(me, id, importedArtifacts.readChanges(body).dto),
        read: (body) => importedArtifacts.readChanges(body),
      },
    };
  }

  async importBatch(me: Caller, batch: ItemBatch, lines: readonly StoredLine[]): Promise<Record<Outcome, number>> {
    const counts = { updated: 0, unchanged: 0 };
    const changed: string[] = [];
    for (const line of lines) {
      try {
        if (line.repeats !== null) {
          throw new RefusedLine(`Line ${line.repeats} has the same id.`, 'conflict', 'duplicate');
        }
        const row = ownRowOf(line);
        const outcome = await this.importRow(me, batch, line, row);
        if (outcome === undefined) continue;
        counts[outcome] += 1;
        if (outcome === 'updated') changed.push(row.id);
      } catch (error) {
        batch.refusals.push(lineRefusalOf(line, error));
      }
    }
    if (!batch.state.isDryRun) await this.sources.addResults(batch.state.id, 'updated', changed);
    return counts;
  }

  /** Changes what differs in the row; what was edited here since the list was made stays, and is noted. */
  private async importRow(
    me: Caller,
    { state, notes, refusals }: ItemBatch,
    line: StoredLine,
    row: OwnRow,
  ): Promise<Outcome | undefined> {
    const handler = this.handlers[row.kind];
    const current = JSON.parse((await handler.get(me, row.id)).body) as JsonRecord & { revision: number };
    if (current.endeavour_id !== state.containerId) throw notFound();
    const reading = new Reading({ decimal: '.', ...state.options }, () => [], notes, line.line);
    const values = new OwnValues(row, current, reading);
    const base = values.revision;
    const isStale = base !== undefined && base < current.revision;
    const edited = isStale ? await this.sources.changedSince(row.id, base) : new Set<string>();
    const wanted: JsonRecord = {};
    for (const name of Object.keys(row.values).filter((each) => !isFieldColumn(each))) {
      const value = values.changed(name);
      if (value === undefined) continue;
      const isStatus = name === 'status' && handler.lifecycle !== undefined;
      if (!isStatus && name !== 'canceled_reason' && !OWN_FIELDS[row.kind].includes(name)) {
        if (!isStale) reading.note('column', name, 'cannot be changed by an import; left as it is');
      } else if (edited.has(name) || (name.startsWith('due_') && (edited.has('due_date') || edited.has('due_day')))) {
        reading.note('kept', name, 'edited here since the list was made; left as it is');
      } else wanted[name] = value;
    }
    const fields = values.changedFields(fieldsOfKind(state.fields, row.kind));
    if (Object.keys(fields).length > 0 && wanted.metadata !== null) {
      if (edited.has('metadata'))
        reading.note('kept', 'metadata', 'edited here since the list was made; left as it is');
      else wanted.metadata = { ...(wanted.metadata as JsonRecord | undefined), ...fields };
    }
    const { status, canceled_reason: reason, ...others } = wanted;
    const steps =
      typeof status === 'string' && handler.lifecycle?.statuses.includes(status) === true
        ? stepsTo(
            handler.lifecycle,
            String(current.status),
            status,
            typeof reason === 'string' ? reason : 'Canceled elsewhere.',
          )
        : [];
    const plain = {
      ...others,
      ...(steps.length === 0 && status !== undefined && { status }),
      ...(steps.length === 0 && reason !== undefined && { canceled_reason: reason }),
    };
    const changes = validChanges(plain, handler.read(plain).fieldErrors, line, refusals);
    if (Object.keys(changes).length === 0 && steps.length === 0) {
      return Object.keys(plain).length === 0 ? 'unchanged' : undefined;
    }
    if (state.isDryRun) return 'updated';
    const update = (body: JsonRecord) => handler.update(me, row.id, body);
    if (!(await this.patches.write({ changes, steps, update, line, refusals }))) return undefined;
    return (await handler.get(me, row.id)).revision === current.revision ? 'unchanged' : 'updated';
  }
}
