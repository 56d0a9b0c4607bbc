import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { ApiError } from '../../../common/errors.js';
import { Database } from '../../../platform/database/database.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { assertStored, RefusedLine } from '../reading/import-format.js';
import { recordOf } from '../formats/values.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import type { ImportState, LineRefusal, StoredLine } from '../imports.repository.js';
import { lineRefusalOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import { DocumentContexts } from './document-contexts.service.js';
import { DocumentEndeavours } from './document-endeavours.service.js';
import { DocumentLinksRepository, type ExistingEntity, type ReferenceLookup } from './document-links.repository.js';
import { DocumentRelations } from './document-relations.service.js';
import type { DocumentHandler } from './document-handler.js';
import { DocumentSections, type ItemSection } from './document-sections.service.js';
import type { DocumentSection } from './document.format.js';

type Counts = Record<string, number>;

const WITH_EXTERNAL_REF = ['endeavours', 'tasks', 'demands', 'artifacts'] as const;

interface NewRecord {
  line: StoredLine;
  id: string;
  read: unknown;
}

/** Imports a batch of records: creates new entities and patches existing ones. */
@Injectable()
export class DocumentBatches {
  constructor(
    private readonly access: Access,
    private readonly contexts: DocumentContexts,
    private readonly database: Database,
    private readonly endeavours: DocumentEndeavours,
    private readonly endeavoursService: EndeavoursService,
    private readonly links: DocumentLinksRepository,
    private readonly relations: DocumentRelations,
    private readonly sections: DocumentSections,
    private readonly sources: ImportSourcesRepository,
  ) {}

  async importBatch(
    me: Caller,
    state: ImportState,
    section: DocumentSection,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<Counts> {
    const readable = lines.filter((line) => isReadable(line, refusals));
    const context = await this.contexts.of(me, state, readable);
    if (section === 'endeavours') {
      await this.findReferred(context, section, readable);
      return this.endeavours.importBatch(context, readable, refusals);
    }
    if (section === 'relations') return this.relations.importBatch(context, readable, refusals);
    return this.importItems(context, section, readable, refusals);
  }

  /** Runs the steps that follow after all contents have been imported. */
  async setFinalStatuses(
    me: Caller,
    state: ImportState,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<void> {
    await this.endeavours.setFinalStatuses(await this.contexts.of(me, state, lines), lines, refusals);
  }

  private async importItems(
    context: DocumentContext,
    section: ItemSection,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<Counts> {
    const handler = this.sections.handlers[section];
    await this.findReferred(context, section, lines);
    const created = new Map<string, NewRecord[]>();
    // Patches come last: one that ends the last open task would complete the endeavour before new ones exist.
    const patched: { existing: ExistingEntity; line: StoredLine; containerId: string }[] = [];
    const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
    for (const line of lines) {
      const record = line.key ?? '';
      const existing = context.find(record);
      try {
        const containerId = handler.containerOf(line.data, context);
        if (existing === undefined) {
          const id = context.assignId(record, handler.kind, line.data.endeavour_id === null ? null : containerId);
          const read = await handler.read(line.data, context, containerId, id);
          created.set(containerId, [...(created.get(containerId) ?? []), { line, id, read }]);
        } else patched.push({ existing, line, containerId });
      } catch (error) {
        if (existing === undefined) context.forget(record);
        refusals.push(lineRefusalOf(line, error));
      }
    }
    for (const [containerId, records] of created) {
      counts.created += await this.create(context, handler, containerId, records, refusals);
    }
    for (const { existing, line, containerId } of patched) {
      try {
        counts[await this.patch(context, handler, existing, line, containerId)] += 1;
      } catch (error) {
        refusals.push(lineRefusalOf(line, error));
      }
    }
    return section === 'comments' ? { comments: counts.created } : counts;
  }

  private async patch(
    context: DocumentContext,
    handler: DocumentHandler,
    { id, isGone }: ExistingEntity,
    { data }: StoredLine,
    containerId: string,
  ): Promise<'updated' | 'unchanged'> {
    const { me, state } = context;
    const { update } = handler;
    if (isGone || update === undefined) return 'unchanged';
    await handler.read(data, context, containerId, id);
    const read = update.read(data, context, containerId);
    if (state.isDryRun) return 'updated';
    const before = await update.get(me, id);
    let after = before;
    const refusal = await inSavepoint(this.database, async () => {
      after = await update.patch(me, id, read);
    });
    if (refusal !== undefined) throw refusal;
    if (after.revision === before.revision) return 'unchanged';
    await this.sources.addResults(state.id, 'updated', [id]);
    return 'updated';
  }

  /** Creates all entities at once or, if the database rejects one of them, one by one; returns their number. */
  private async create(
    { me, state }: DocumentContext,
    handler: DocumentHandler,
    containerId: string,
    records: readonly NewRecord[],
    refusals: LineRefusal[],
  ): Promise<number> {
    if (state.isDryRun) return records.length;
    const error = await this.containerError(me, containerId);
    if (error !== undefined) {
      // The target was completed since the import started, which would refuse all new records from then on.
      if (containerId === state.endeavourId) throw error;
      refusals.push(...records.map(({ line }) => lineRefusalOf(line, error)));
      return 0;
    }
    const create = (batch: readonly NewRecord[]) =>
      inSavepoint(this.database, async () => {
        await handler.createAll(me, containerId, batch.map(({ read }) => read) as never[]);
        await this.links.add(state.containerId, new Map(batch.map(({ line, id }) => [line.key ?? '', id])));
        await this.sources.addResults(
          state.id,
          'created',
          batch.map(({ id }) => id),
        );
      });
    if ((await create(records)) === undefined) return records.length;
    let count = 0;
    for (const record of records) {
      const refusal = await create([record]);
      if (refusal === undefined) count += 1;
      else refusals.push(lineRefusalOf(record.line, refusal));
    }
    return count;
  }

  /** Returns the error if no entities can be created in the container, for example because it is archived. */
  private async containerError(me: Caller, containerId: string): Promise<ApiError | undefined> {
    try {
      const container = await this.access.authorize(me, 'imports_create', containerId);
      this.access.assertWritable(container);
      this.endeavoursService.assertTakesWork(container);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /** Maps records without an entity to existing entities with the same external reference. */
  private async findReferred(
    context: DocumentContext,
    section: ItemSection | 'endeavours',
    lines: readonly StoredLine[],
  ): Promise<void> {
    const { organizationId } = context.state;
    const table = WITH_EXTERNAL_REF.find((name) => name === section);
    if (table === undefined) return;
    const lookups = lines.flatMap(({ key, data }): ReferenceLookup[] => {
      const { source, id } = recordOf(data.external_ref);
      const container = section === 'endeavours' ? organizationId : context.optionalReferenceOf(data, 'endeavour_id');
      const isUnmapped = key !== null && container !== null && context.find(key) === undefined;
      if (!isUnmapped || typeof source !== 'string' || typeof id !== 'string') return [];
      return [{ record: key, container, source, id }];
    });
    const entities = await this.links.findByReference(table, lookups);
    const found = [...entities].filter(([record, { id }]) => id !== record || context.state.endeavourId !== null);
    for (const [record] of entities) context.keepReference(record);
    for (const [record, entity] of found) context.set(record, entity);
    const links = new Map(found.map(([record, { id }]) => [record, id]));
    if (links.size > 0 && !context.state.isDryRun) await this.links.add(context.state.containerId, links);
  }
}

function isReadable(line: StoredLine, refusals: LineRefusal[]): boolean {
  try {
    assertStored(line.data);
    if (line.repeats === null) return true;
    throw new RefusedLine(`Line ${line.repeats} has the same id.`, 'conflict', 'duplicate');
  } catch (error) {
    refusals.push(lineRefusalOf(line, error));
    return false;
  }
}
