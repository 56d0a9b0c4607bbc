import { Injectable } from '@nestjs/common';
import { fieldsFor } from '../../common/declared-field.js';
import type { Caller } from '../../access/authentication/caller.js';
import { groupBy } from '../../common/group-by.js';
import { Database } from '../../platform/database/database.js';
import { inSavepoint } from '../../platform/http/requests/savepoint.js';
import type { CycleSearch } from '../dependencies/dependencies.service.js';
import { RelationsService } from '../relations/relations.service.js';
import { DOCUMENT_SECTIONS } from './documents/document.format.js';
import { DocumentBatches } from './documents/document-batches.service.js';
import { taskFormatOf, type FormatName } from './formats/all.js';
import { isOwnRow } from './formats/own-rows.js';
import { OwnListItems } from './reading/own-list-items.service.js';
import { assertStored, ITEMS, RefusedLine } from './reading/import-format.js';
import { ImportNotes } from './import-notes.js';
import { ImportNotesRepository } from './import-notes.repository.js';
import { ImportSourcesRepository } from './import-sources.repository.js';
import { ImportedItems } from './items/imported-items.service.js';
import type { ReadLine } from './items/item-batch.js';
import { ItemReferences, type ResolvedRelation } from './items/item-references.service.js';
import { withDeclaredFields } from './items/item-fields.js';
import { withUsableLabels } from './items/item-labels.js';
import { withKnownStage } from './items/item-stages.js';
import { inTime } from './reading/in-time.js';
import { lineRefusalOf } from './reading/line-refusals.js';
import { noteUnused } from './reading/unused-options.js';
import { Reading } from './reading/reading.js';
import { ImportsRepository, type ImportState, type LineRefusal, type StoredLine } from './imports.repository.js';
import { ImportPeople } from './reading/people.js';

/** The number of phases: items first, then the relations between them. */
const PHASES = 2;
const ENDEAVOUR_BATCH_SIZE = 500;
/** The numbers of lines, and of relations, after which a step measures how many more it has time for. */
const FIRST_LINES = 100;
const FIRST_RELATED = 20;
/** A line is never divided between steps. */
const MAX_RELATIONS = 200;

/** Processes imports in batches, each in its own transaction, which continue from the stored position. */
@Injectable()
export class ImportBatches {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentBatches,
    private readonly items: ImportedItems,
    private readonly notes: ImportNotesRepository,
    private readonly ownItems: OwnListItems,
    private readonly references: ItemReferences,
    private readonly sources: ImportSourcesRepository,
    private readonly relations: RelationsService,
    private readonly repository: ImportsRepository,
  ) {}

  /** Returns the number of lines to process in all phases. */
  stepsOf(format: FormatName, lines: number): number {
    return format === 'worksmith' ? lines : PHASES * lines;
  }

  async step(me: Caller, operationId: string, limit: number): Promise<number> {
    const state = await this.repository.stateOf(operationId);
    if (state.format === 'worksmith') return this.documentStep(me, state, limit);
    const lines = await this.repository.nextLines(state.id, ITEMS, state.position, limit);
    if (lines.length === 0) return this.nextPhase(me, state, limit);
    const refusals: LineRefusal[] = [];
    const done =
      state.phase === 0
        ? await inTime(lines, { first: FIRST_LINES, run: (next) => this.importItems(me, state, next, refusals) })
        : await this.relateInTime(me, state, lines, refusals);
    await this.repository.addRefusals(state.id, refusals);
    await this.repository.advance({ ...state, position: lines[done - 1].number });
    return done;
  }

  private async importItems(
    me: Caller,
    state: ImportState,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<void> {
    const notes = new ImportNotes();
    const own = lines.filter(({ data }) => isOwnRow(data));
    const others = lines.filter(({ data }) => !isOwnRow(data));
    const read = await this.read(state, others, refusals, notes, state.counts);
    const members = await this.repository.peopleOf(me.userId, me.isAdmin, state.containerId);
    const batch = {
      state,
      people: new ImportPeople(members, state.options.people, notes),
      notes,
      refusals,
      imported: new Set<number>(),
    };
    addTo(state.counts, await this.items.importBatch(me, batch, read));
    if (state.isDryRun) {
      const lost = others.map(({ number }) => number).filter((number) => !batch.imported.has(number));
      await this.repository.markLost(state.id, lost);
    }
    if (own.length > 0) addTo(state.counts, await this.ownItems.importBatch(me, batch, own));
    await this.notes.add(state.id, notes);
  }

  /** Creates the relations of as many lines as the step has time for; returns their number. A dry run only resolves them. */
  private async relateInTime(
    me: Caller,
    state: ImportState,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<number> {
    const missing: LineRefusal[] = [];
    // What the first phase has reported is not reported again.
    const others = lines.filter(({ data }) => !isOwnRow(data));
    const read = await this.read(state, others, [], new ImportNotes(), {});
    const resolved = groupBy(await this.references.resolve(state, read, missing), ({ line }) => line.number);
    const search = state.isDryRun
      ? undefined
      : await this.relations.searchCycles([...resolved.values()].flat(), state.containerId);
    const weightOf = ({ number }: StoredLine): number => 1 + (resolved.get(number)?.length ?? 0);
    const run = async (next: readonly StoredLine[]): Promise<void> => {
      const names = new Set(next.map(({ line, key }) => `${line} ${key}`));
      refusals.push(...missing.filter(({ line, externalId }) => names.has(`${line} ${externalId}`)));
      if (search === undefined) return;
      const relations = next.flatMap(({ number }) => resolved.get(number) ?? []);
      addTo(state.counts, { relations: await this.relate(me, state, relations, search, refusals) });
    };
    return inTime(lines, { first: FIRST_RELATED, weightOf, run });
  }

  async finish(me: Caller, operationId: string): Promise<object> {
    const state = await this.repository.stateOf(operationId);
    const { format, isDryRun } = state;
    if (format === 'worksmith' && !isDryRun) await this.setFinalStatuses(me, state);
    const notes = new ImportNotes();
    noteUnused(state.options, await this.notes.usedOptions(state.id), notes);
    await this.notes.add(state.id, notes);
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
    const run = async (next: readonly StoredLine[]): Promise<void> => {
      const before = refusals.length;
      addTo(state.counts, await this.documents.importBatch(me, state, section, next, refusals));
      if (!state.isDryRun) return;
      const refused = new Set(refusals.slice(before).map(({ line, externalId }) => `${line} ${externalId}`));
      const lost = next.filter(({ line, key }) => refused.has(`${line} ${key}`));
      await this.repository.markLost(
        state.id,
        lost.map(({ number }) => number),
      );
    };
    const done = await inTime(lines, { first: FIRST_LINES, run });
    await this.repository.addRefusals(state.id, refusals);
    await this.repository.advance({ ...state, position: lines[done - 1].number });
    return done;
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
    if (state.phase + 1 >= PHASES) return 0;
    await this.repository.advance({ ...state, phase: state.phase + 1, position: 0 });
    return this.step(me, state.operationId, limit);
  }

  private async read(
    { id, format: formatName, options: sent, stages, fields }: ImportState,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
    notes: ImportNotes,
    counts: Record<string, number>,
  ): Promise<ReadLine[]> {
    const format = taskFormatOf(formatName);
    const options = { ...sent, fields: fieldsFor(fields, 'task') };
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
        const reading = new Reading(options, lookup, notes, line.line, stages);
        const labeled = withUsableLabels(format.item(line, reading), reading);
        const item = withDeclaredFields(withKnownStage(labeled, reading), reading);
        if (item === undefined) addTo(counts, { skipped: 1 });
        else if (item.relations.length > MAX_RELATIONS) throw tooManyRelations(item.relations.length);
        return item === undefined ? [] : [{ line, item }];
      } catch (error) {
        refusals.push(lineRefusalOf(line, error));
        return [];
      }
    });
  }

  private async relate(
    me: Caller,
    state: ImportState,
    relations: readonly ResolvedRelation[],
    search: CycleSearch,
    refusals: LineRefusal[],
  ): Promise<number> {
    const created: string[] = [];
    for (const { line, type, source, target } of relations) {
      const refusal = await inSavepoint(this.database, async () => {
        const dto = {
          relationship_type: type,
          source_entity_type: 'task' as const,
          source_entity_id: source,
          target_entity_type: 'task' as const,
          target_entity_id: target,
        };
        const relation = await this.relations.create(me, dto, search);
        created.push(relation.id);
      });
      // A relation that already exists is not reported.
      if (refusal !== undefined && refusal.details?.reason !== 'duplicate_relation') {
        refusals.push(lineRefusalOf(line, refusal));
      }
    }
    await this.sources.addResults(state.id, 'created', created);
    return created.length;
  }
}

function addTo(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

const tooManyRelations = (count: number): RefusedLine =>
  new RefusedLine(
    `The line has ${count} relations; at most ${MAX_RELATIONS} are imported with one line. Name the others on the lines of ` +
      'the tasks that they lead to.',
    'invalid_input',
    'too_long',
  );
