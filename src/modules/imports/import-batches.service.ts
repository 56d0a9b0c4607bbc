import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { groupBy } from '../../common/group-by.js';
import { Database } from '../../platform/database/database.js';
import { inSavepoint } from '../../platform/http/savepoint.js';
import { ImportedTasks } from '../tasks/imported-tasks.service.js';
import { RelationsService } from '../relations/relations.service.js';
import { DOCUMENT_SECTIONS } from './documents/document.format.js';
import { DocumentBatches } from './documents/document-batches.service.js';
import { taskFormatOf, type FormatName } from './formats/all.js';
import { assertStored, ITEMS, RefusedLine } from './import-format.js';
import { ImportedItems, type ReadLine } from './imported-items.service.js';
import { lineRefusalOf } from './line-refusals.js';
import { ImportsRepository, type ImportState, type LineRefusal, type StoredLine } from './imports.repository.js';
import { ImportPeople } from './people.js';

/** The number of phases: items first, then the relations between them. */
const PHASES = 2;
const ENDEAVOUR_BATCH_SIZE = 500;

/** Processes imports in batches, each in its own transaction, which continue from the stored position. */
@Injectable()
export class ImportBatches {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentBatches,
    private readonly importedTasks: ImportedTasks,
    private readonly items: ImportedItems,
    private readonly relations: RelationsService,
    private readonly repository: ImportsRepository,
  ) {}

  /** Returns the number of lines to process in all phases. */
  stepsOf(format: FormatName, isDryRun: boolean, lines: number): number {
    return isDryRun || format === 'worksmith' ? lines : PHASES * lines;
  }

  async step(me: Caller, operationId: string, limit: number): Promise<number> {
    const state = await this.repository.stateOf(operationId);
    if (state.format === 'worksmith') return this.documentStep(me, state, limit);
    const lines = await this.repository.nextLines(state.id, ITEMS, state.position, limit);
    if (lines.length === 0) return this.nextPhase(me, state, limit);
    const refusals: LineRefusal[] = [];
    const read = await this.read(state, lines, state.phase === 0 ? refusals : []);
    if (state.phase === 0) {
      const people = new ImportPeople(
        await this.repository.peopleOf(me.userId, me.isAdmin, state.containerId),
        state.options.people,
      );
      const counted = await this.items.importBatch(me, state, read, people, refusals);
      addTo(state.counts, counted);
    } else {
      state.counts.relations = (state.counts.relations ?? 0) + (await this.relate(me, state, read, refusals));
    }
    await this.repository.addRefusals(state.id, refusals);
    await this.repository.advance({ ...state, position: lines[lines.length - 1].number });
    return lines.length;
  }

  async finish(me: Caller, operationId: string): Promise<object> {
    const state = await this.repository.stateOf(operationId);
    const { format, isDryRun } = state;
    if (format === 'worksmith' && !isDryRun) await this.setFinalStatuses(me, state);
    return this.report(operationId);
  }

  /** Returns the counts of what was imported so far. */
  async report(operationId: string): Promise<object> {
    const { id } = await this.repository.stateOf(operationId);
    const { refusals: _refusals, ...report } = (await this.repository.report(id, 0, 0)) ?? {};
    return { import: report };
  }

  /** Processes the next batch of an export, section by section. */
  private async documentStep(me: Caller, state: ImportState, limit: number): Promise<number> {
    const section = DOCUMENT_SECTIONS.at(state.phase);
    if (section === undefined) return 0;
    const lines = await this.repository.nextLines(state.id, section, state.position, limit);
    if (lines.length === 0) {
      await this.repository.advance({ ...state, phase: state.phase + 1, position: 0 });
      return this.documentStep(me, { ...state, phase: state.phase + 1, position: 0 }, limit);
    }
    const refusals: LineRefusal[] = [];
    addTo(state.counts, await this.documents.importBatch(me, state, section, lines, refusals));
    await this.repository.addRefusals(state.id, refusals);
    await this.repository.advance({ ...state, position: lines[lines.length - 1].number });
    return lines.length;
  }

  private async setFinalStatuses(me: Caller, state: ImportState): Promise<void> {
    if (state.organizationId === null) return;
    for (let position = 0; ;) {
      const lines = await this.repository.nextLines(state.id, 'endeavours', position, ENDEAVOUR_BATCH_SIZE);
      const last = lines.at(-1);
      if (last === undefined) return;
      const refusals: LineRefusal[] = [];
      await this.documents.setFinalStatuses(me, state, lines, refusals);
      await this.repository.addRefusals(state.id, refusals);
      position = last.number;
    }
  }

  private async nextPhase(me: Caller, state: ImportState, limit: number): Promise<number> {
    if (state.isDryRun || state.phase + 1 >= PHASES) return 0;
    await this.repository.advance({ ...state, phase: state.phase + 1, position: 0 });
    return this.step(me, state.operationId, limit);
  }

  private async read(
    { id, format: formatName, options }: ImportState,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<ReadLine[]> {
    const format = taskFormatOf(formatName);
    const needed = lines.flatMap((line) => format.needs?.(line) ?? []);
    const records = await this.repository.lookups(id, needed);
    const byName = groupBy(records, ({ section, key }) => `${section} ${key}`);
    const lookup = (section: string, key: string) => (byName.get(`${section} ${key}`) ?? []).map(({ data }) => data);
    return lines.flatMap((line) => {
      try {
        if (line.repeats !== null) {
          throw new RefusedLine(`Line ${line.repeats} has the same id.`, 'conflict', 'duplicate');
        }
        assertStored(line.data);
        return [{ line, item: format.item(line, options, lookup) }];
      } catch (error) {
        refusals.push(lineRefusalOf(line, error));
        return [];
      }
    });
  }

  private async relate(
    me: Caller,
    { containerId, options }: ImportState,
    read: readonly ReadLine[],
    refusals: LineRefusal[],
  ): Promise<number> {
    const related = read.filter(({ item }) => item.externalId !== null && item.relations.length > 0);
    const names = related.flatMap(({ item }) => [
      item.externalId ?? '',
      ...item.relations.map((relation) => relation.externalId),
    ]);
    const ids = await this.importedTasks.idsByExternalId(containerId, options.source, names);
    let count = 0;
    for (const { line, item } of related) {
      const own = ids.get(item.externalId ?? '');
      if (own === undefined) continue;
      for (const { type, externalId, isIncoming = false } of item.relations) {
        const other = ids.get(externalId);
        const [source, target] = isIncoming ? [other, own] : [own, other];
        if (source === undefined || target === undefined) {
          const missing = new RefusedLine(`There is no task ${externalId}.`, 'invalid_input', 'reference_not_found');
          refusals.push(lineRefusalOf(line, missing));
          continue;
        }
        const refusal = await inSavepoint(this.database, () =>
          this.relations.create(me, {
            relationship_type: type,
            source_entity_type: 'task',
            source_entity_id: source,
            target_entity_type: 'task',
            target_entity_id: target,
          }),
        );
        if (refusal === undefined) count += 1;
        // A relation that already exists is not reported.
        else if (refusal.details?.reason !== 'duplicate_relation') refusals.push(lineRefusalOf(line, refusal));
      }
    }
    return count;
  }
}

function addTo(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}
