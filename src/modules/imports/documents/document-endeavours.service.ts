import { Injectable } from '@nestjs/common';
import type { JsonRecord } from '../../../common/texts/json.js';
import { Database } from '../../../platform/database/database.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { ImportedEndeavours } from '../../endeavours/imported-endeavours.service.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import type { LineRefusal, StoredLine } from '../imports.repository.js';
import { validBodyOf, lineRefusalOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import { recordOf, textOf } from '../formats/values.js';
import * as items from './document-items.js';
import { DocumentLinksRepository } from './document-links.repository.js';

/** The statuses that an endeavour gets only after its contents have been imported. */
const FINAL_STATUSES = ['on_hold', 'completed'];

type Outcome = 'created' | 'updated' | 'unchanged';

/** Imports the endeavours of a document. */
@Injectable()
export class DocumentEndeavours {
  constructor(
    private readonly database: Database,
    private readonly endeavours: EndeavoursService,
    private readonly importedEndeavours: ImportedEndeavours,
    private readonly links: DocumentLinksRepository,
    private readonly sources: ImportSourcesRepository,
  ) {}

  /** Imports endeavours. If the target is an endeavour, the endeavour of the document maps to it and does not change it. */
  async importBatch(
    context: DocumentContext,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<Record<Outcome, number>> {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    for (const line of lines) {
      try {
        counts[await this.importOne(context, line)] += 1;
      } catch (error) {
        refusals.push(lineRefusalOf(line, error));
      }
    }
    return counts;
  }

  /** Sets the status of endeavours after all contents are imported, because completed ones accept no new work. */
  async setFinalStatuses(
    context: DocumentContext,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<void> {
    for (const line of lines) {
      const { status } = line.data;
      const endeavour = context.find(line.key ?? '');
      if (endeavour === undefined || !FINAL_STATUSES.includes(textOf(status) ?? '')) continue;
      const refusal = await inSavepoint(this.database, () =>
        this.endeavours.update(context.me, endeavour.id, { status: status as 'on_hold' | 'completed' }),
      );
      if (refusal !== undefined) refusals.push(lineRefusalOf(line, refusal));
    }
  }

  private async importOne(context: DocumentContext, { key, data }: StoredLine): Promise<Outcome> {
    const { me, state } = context;
    const { containerId, endeavourId, organizationId, isDryRun } = state;
    if (organizationId === null) {
      if (!isDryRun) await this.links.add(containerId, new Map([[key ?? '', endeavourId ?? '']]));
      return 'unchanged';
    }
    const isTaken = context.isReferenceTaken(key ?? '');
    const body = items.endeavourBody(isTaken ? withoutReference(data) : data, organizationId);
    const dto = validBodyOf(this.importedEndeavours.read(body));
    const existing = context.find(key ?? '');
    const { organization_id: _home, goals: _goals, stages: _stages, fields: _fields, ...rest } = body;
    const { status: _status, key: _key, ...others } = rest;
    const changes = validBodyOf(this.importedEndeavours.readChanges(others));
    if (isDryRun) return existing === undefined ? 'created' : 'updated';
    let outcome: Outcome = 'created';
    const refusal = await inSavepoint(this.database, async () => {
      if (existing === undefined) {
        const created = await this.importedEndeavours.create(me, dto);
        await this.links.add(containerId, new Map([[key ?? '', created.id]]));
        await this.sources.addResults(state.id, 'created', [created.id]);
        return;
      }
      const before = await this.endeavours.get(me, existing.id);
      const after = await this.endeavours.update(me, existing.id, changes);
      outcome = after.revision === before.revision ? 'unchanged' : 'updated';
      if (outcome === 'updated') await this.sources.addResults(state.id, outcome, [existing.id]);
    });
    if (refusal !== undefined) throw refusal;
    return outcome;
  }
}

/** Returns a copy whose external reference is only a note, because the original has it. */
const withoutReference = (data: JsonRecord): JsonRecord => ({
  ...data,
  external_ref: null,
  metadata: {
    ...recordOf(data.metadata),
    imported: { ...recordOf(recordOf(data.metadata).imported), external_ref: data.external_ref },
  },
});
