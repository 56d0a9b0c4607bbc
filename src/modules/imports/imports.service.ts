import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import { fieldsFor, type DeclaredField } from '../../common/declared-field.js';
import type { Caller } from '../../access/authentication/caller.js';
import { forbidden, inProgress, invalidField, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { rankOf } from '../../common/roles.js';
import { Turns } from '../../common/turns.js';
import type { AcceptedOperation } from '../../platform/http/responses/accepted-operation.js';
import { limited } from '../../platform/http/bodies/uploads.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { OperationsService } from '../operations/operations.service.js';
import type { OperationWork } from '../operations/operation-types.js';
import { formatOf, sectionsOf } from './formats/all.js';
import { inTurns } from './formats/in-turns.js';
import { peekedFile } from './formats/long-start.js';
import { isOwnList } from './formats/own-rows.js';
import { storable, UnreadableFile } from './reading/import-format.js';
import type { ImportParameters } from './reading/import-parameters.js';
import { noteUnusable } from './reading/unused-options.js';
import { ImportNotes } from './import-notes.js';
import { ImportNotesRepository } from './import-notes.repository.js';
import { ImportBatches } from './import-batches.service.js';
import { ImportsRepository, type StorableLine } from './imports.repository.js';

/** The number of records that are stored at once; fewer if their JSON is large. */
const BATCH_SIZE = 500;
const BATCH_LENGTH = 1024 * 1024;
const OWNER = rankOf('owner');

/** The report of an import. */
export type ImportReport = Record<string, unknown>;

const operationOf = (importId: string): string => importId.replace(/^imp/, 'opr');

/** Starts imports of files, and returns their reports. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly operations: OperationsService,
    private readonly batches: ImportBatches,
    private readonly notes: ImportNotesRepository,
    private readonly repository: ImportsRepository,
  ) {
    operations.register({
      name: 'imports_create',
      authorize: (me, work) => this.authorize(me, work),
      step: (me, { id }, limit) => this.batches.step(me, id, limit),
      finish: (me, { id }) => this.batches.finish(me, id),
      report: ({ id }) => this.batches.report(id),
    });
  }

  /** Stores the records of the file as it arrives, and starts the operation in which workers import them. */
  async start(me: Caller, sent: ImportParameters, file: AsyncIterable<Buffer>): Promise<AcceptedOperation> {
    const { start, whole } = await peekedFile(file);
    // A list of this service is read as CSV, whichever of the two formats it is sent as.
    const parameters = sent.format === 'worksmith' && isOwnList(start) ? { ...sent, format: 'csv' as const } : sent;
    const { target, format, isDryRun, options } = parameters;
    const container = await this.targetOf(me, target);
    this.access.assertWritable(container);
    if (!isDryRun) this.endeavours.assertTakesWork(container);
    const id = newId('import');
    const notes = new ImportNotes();
    const lines = await this.store(id, parameters, whole, notes, fieldsFor(container.fields, 'task'));
    const isEndeavour = target.field === 'endeavour_id';
    const home = isEndeavour ? await this.repository.homeOf(target.id) : target.id;
    const slot = home ?? target.id;
    const running = await this.repository.runningIn(slot);
    if (running !== undefined) throw inProgress(running);
    const operationId = operationOf(id);
    const started = await this.operations.start(me, {
      id: operationId,
      type: 'imports_create',
      containerId: target.id,
      organizationId: home,
      parameters: { import_id: id },
      total: this.batches.stepsOf(format, lines),
      closes: { endeavourIds: [] },
      isCancelable: true,
    });
    const place = { endeavourId: isEndeavour ? target.id : null, organizationId: isEndeavour ? null : target.id };
    await this.repository.insert({ id, operationId, ...place, slot, format, isDryRun, options, lines });
    await this.notes.add(id, notes);
    return started;
  }

  /** Returns the report of an import; 404 unless the caller can see its operation and its target. */
  async get(me: Caller, id: string, after: number, limit: number): Promise<ImportReport> {
    await this.operations.get(me, operationOf(id));
    const report = await this.repository.report(id, after, limit);
    if (report === undefined) throw notFound();
    const container = String(report.endeavour_id ?? report.organization_id);
    if ((await this.access.find(me, container)) === undefined) throw notFound();
    return { ...report, notes: await this.notes.shown(id) };
  }

  private async authorize(me: Caller, { containerId }: OperationWork): Promise<void> {
    // The container stays locked until the end of the transaction, so that it is not archived in the meantime.
    const container = await this.access.authorize(me, 'imports_create', containerId);
    assertOwner(container);
    this.access.assertWritable(container);
  }

  private async targetOf(me: Caller, { field, id }: ImportParameters['target']): Promise<AuthorizedResource> {
    const kind = field === 'endeavour_id' ? 'endeavour' : 'organization';
    const target = await this.access.resolveReference(me, 'imports_create', field, id, kind);
    assertOwner(target);
    return target;
  }

  private async store(
    id: string,
    { target, format, options }: ImportParameters,
    file: AsyncIterable<Buffer>,
    notes: ImportNotes,
    fields: readonly DeclaredField[],
  ): Promise<number> {
    await this.repository.waitForFile();
    const sections = sectionsOf(format);
    let [count, items, endeavours, length] = [0, 0, 0, 0];
    let batch: StorableLine[] = [];
    const turns = new Turns();
    try {
      for await (const record of formatOf(format).records(inTurns(limited(file)), { ...options, fields }, notes)) {
        const stored = storable(record, sections);
        batch.push({ ...stored, number: (count += 1) });
        if (sections.includes(stored.section)) items += 1;
        if (stored.section === 'endeavours') endeavours += 1;
        length += stored.data.length;
        if (turns.isOver) await turns.next();
        if (batch.length < BATCH_SIZE && length < BATCH_LENGTH) continue;
        await this.repository.addLines(id, batch);
        [batch, length] = [[], 0];
      }
      if (format === 'worksmith') assertExport(endeavours, target.field);
    } catch (error) {
      if (error instanceof UnreadableFile) throw invalidField('file', 'invalid_format', error.message);
      throw error;
    }
    await this.repository.addLines(id, batch);
    noteUnusable(options, format, notes);
    return items;
  }
}

/** Requires the owner role to import into an organization, where an import creates endeavours. */
function assertOwner({ kind, rank }: AuthorizedResource): void {
  if (kind === 'organization' && rank < OWNER) throw forbidden('the owner role in this organization');
}

function assertExport(endeavours: number, field: string): void {
  if (endeavours === 0 && field === 'endeavour_id') {
    throw new UnreadableFile('The file is not the export of an endeavour.');
  }
  if (endeavours > 1 && field === 'endeavour_id') {
    throw new UnreadableFile('The file has several endeavours; import it into an organization.');
  }
}
