import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { inProgress, invalidField, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { AcceptedOperation } from '../../platform/http/accepted-operation.js';
import { limited } from '../../platform/http/uploads.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { OperationsService } from '../operations/operations.service.js';
import type { Work } from '../operations/operation-types.js';
import { formatOf } from './formats/all.js';
import { ITEMS, storable, UnreadableFile, type ImportRecord } from './import-format.js';
import type { ImportParameters } from './import-parameters.js';
import { ImportPieces } from './import-pieces.service.js';
import { ImportsRepository } from './imports.repository.js';

/** So many records are stored at once. */
const BATCH = 500;

/** What came of an import. */
export type ImportReport = Record<string, unknown>;

const operationOf = (importId: string): string => importId.replace(/^imp/, 'opr');

/** Brings work from files of other systems. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly operations: OperationsService,
    private readonly pieces: ImportPieces,
    private readonly repository: ImportsRepository,
  ) {
    operations.register({
      name: 'imports_create',
      authorize: (me, work) => this.authorize(me, work),
      step: (me, { id }, limit) => this.pieces.step(me, id, limit),
      finish: (_me, { id }) => this.pieces.finish(id),
    });
  }

  /** Stores the records of the file as it arrives, and leaves the rest to the workers. */
  async start(me: Caller, parameters: ImportParameters, file: Readable): Promise<AcceptedOperation> {
    const { endeavourId, format, isDryRun, options } = parameters;
    const endeavour = await this.access.resolveReference(
      me,
      'imports_create',
      'endeavour_id',
      endeavourId,
      'endeavour',
    );
    this.access.assertWritable(endeavour);
    if (!isDryRun) this.endeavours.assertTakesWork(endeavour);
    const id = newId('import');
    const lines = await this.store(id, parameters, file);
    const { slot, organizationId } = await this.repository.slotOf(endeavourId);
    const running = await this.repository.runningIn(slot);
    if (running !== undefined) throw inProgress(running);
    const operationId = operationOf(id);
    const started = await this.operations.start(me, {
      id: operationId,
      type: 'imports_create',
      containerId: endeavourId,
      organizationId,
      parameters: { import_id: id },
      total: this.pieces.stepsOf(isDryRun, lines),
      closes: { endeavourIds: [] },
      isCancelable: true,
    });
    await this.repository.insert({ id, operationId, endeavourId, slot, format, isDryRun, options, lines });
    return started;
  }

  /** For those who may follow its operation, while they see the endeavour. */
  async get(me: Caller, id: string, after: number, limit: number): Promise<ImportReport> {
    await this.operations.get(me, operationOf(id));
    const report = await this.repository.report(id, after, limit);
    if (report === undefined) throw notFound();
    if ((await this.access.find(me, String(report.endeavour_id))) === undefined) throw notFound();
    return report;
  }

  private async authorize(me: Caller, { containerId }: Work): Promise<void> {
    const found = await this.access.authorizeWithoutLock(me, 'imports_create', containerId);
    this.access.assertWritable(found);
  }

  private async store(id: string, { format, options }: ImportParameters, file: Readable): Promise<number> {
    await this.repository.waitForFile();
    let [count, items] = [0, 0];
    let batch: (ImportRecord & { number: number })[] = [];
    try {
      for await (const record of formatOf(format).records(limited(file), options)) {
        const stored = storable(record);
        batch.push({ ...stored, number: (count += 1) });
        if (stored.section === ITEMS) items += 1;
        if (batch.length < BATCH) continue;
        await this.repository.addLines(id, batch);
        batch = [];
      }
    } catch (error) {
      if (error instanceof UnreadableFile) throw invalidField('file', 'invalid_format', error.message);
      throw error;
    }
    await this.repository.addLines(id, batch);
    return items;
  }
}
