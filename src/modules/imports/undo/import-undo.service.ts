import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict, inProgress, notFound } from '../../../common/errors.js';
import { groupBy } from '../../../common/group-by.js';
import { ContainedResources } from '../../../platform/containment/contained-resources.js';
import { ContainerEraser } from '../../../platform/containment/container-eraser.js';
import { Database } from '../../../platform/database/database.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { OperationsService } from '../../operations/operations.service.js';
import { RelationsService } from '../../relations/relations.service.js';
import { ImportedTimeEntries } from '../../time-entries/imported-time-entries.service.js';
import { ImportsRepository } from '../imports.repository.js';
import { ImportUndoRepository, type ImportedThing, type StayReason, type UndoRun } from './import-undo.repository.js';

/** The number of things that stay in a result. */
const MAX_SHOWN = 1_000;

const REASONS: Record<StayReason, string> = {
  changed: 'It existed before the import, which changed it; its history shows the former values.',
  gone: 'It has been deleted already.',
  kind: 'Things of this kind are not deleted by an undo; archive or delete it yourself.',
  edited: 'It has been changed since the import.',
  contents: 'Something that was added since the import belongs to it, such as a comment, a verdict or a task.',
  tied: 'A relation that was added since the import refers to it.',
};

/** The stored input of an undo. */
type Parameters = { import_id: string; is_dry_run: boolean };

/** Undoes imports: deletes what they created and nobody has touched since. */
@Injectable()
export class ImportUndo {
  constructor(
    private readonly access: Access,
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
    private readonly eraser: ContainerEraser,
    private readonly imports: ImportsRepository,
    private readonly operations: OperationsService,
    private readonly relations: RelationsService,
    private readonly repository: ImportUndoRepository,
    private readonly resources: ContainedResources,
    private readonly timeEntries: ImportedTimeEntries,
  ) {
    operations.register({
      name: 'imports_undo',
      authorize: (me, work) => this.authorize(me, work.containerId),
      step: (me, work, limit) => this.step(me, work, limit),
      finish: (_me, work) => this.report(work),
      report: (work) => this.report(work),
    });
  }

  /** Starts the undo; 404 unless the caller can see the import, 409 while it runs. */
  async start(me: Caller, importId: string, isDryRun: boolean): Promise<AcceptedOperation> {
    const found = await this.repository.find(importId);
    if (found === undefined) throw notFound();
    const containerId = found.endeavourId ?? found.organizationId ?? '';
    await this.operations.get(me, found.operationId);
    await this.authorize(me, containerId);
    if (!found.isFinished) throw inProgress(found.operationId);
    if (found.isDryRun) throw conflict('finished', 'The import was a dry run, which has changed nothing.');
    return this.operations.start(me, {
      type: 'imports_undo',
      containerId,
      organizationId: found.organizationId ?? (await this.imports.homeOf(containerId)),
      parameters: { import_id: importId, is_dry_run: isDryRun } satisfies Parameters,
      total: isDryRun ? 0 : found.created,
      closes: { endeavourIds: [] },
      isCancelable: true,
    });
  }

  private async authorize(me: Caller, containerId: string): Promise<void> {
    this.access.assertWritable(await this.access.authorize(me, 'imports_undo', containerId));
  }

  private async step(me: Caller, work: OperationWork, limit: number): Promise<number> {
    const run = runOf(work);
    const { tally } = work;
    if (run.isDryRun) return 0;
    const things = await this.repository.next(run, tally.stayed ?? 0, limit);
    // What belongs to others is deleted before them, so a piece has only one kind.
    const piece = things.filter(({ kind }) => kind === things[0].kind);
    const deletable = piece.filter(({ reason }) => reason === null);
    const deleted = await this.delete(me, run, deletable);
    tally.deleted = (tally.deleted ?? 0) + deleted;
    tally.stayed = (tally.stayed ?? 0) + piece.length - deleted;
    return piece.length;
  }

  /** Deletes things of one kind, with an event for each; returns how many. */
  private async delete(me: Caller, { importId }: UndoRun, things: readonly ImportedThing[]): Promise<number> {
    const ids = things.map(({ id }) => id);
    if (ids.length === 0) return 0;
    const [{ kind }] = things;
    if (kind === 'relation') return this.unrelate(me, importId, ids);
    await this.bulkWriter.recordAll(me, this.resources.viewOf(kind), ids, `${kind}.deleted`);
    const remove = () => this.eraser.deleteSome(kind, ids);
    await (kind === 'time_entry' ? this.timeEntries.recordDeletion(me, ids, remove) : remove());
    return ids.length;
  }

  /** Deletes relations like DELETE, which also frees the tasks that they block. */
  private async unrelate(me: Caller, importId: string, ids: readonly string[]): Promise<number> {
    const deleted: string[] = [];
    for (const id of ids) {
      if ((await inSavepoint(this.database, () => this.relations.remove(me, id))) === undefined) deleted.push(id);
    }
    await this.repository.forget(importId, deleted);
    return deleted.length;
  }

  /** Returns the counts, and the things that stay with the reasons. */
  private async report(work: OperationWork): Promise<object> {
    const run = runOf(work);
    const counts = await this.repository.count(run);
    const deletable = counts.get(null) ?? 0;
    const stays = await this.repository.stays(run, MAX_SHOWN);
    const reasons = groupBy(
      [...counts].filter(([reason]) => reason !== null),
      ([reason]) => reason as string,
    );
    return {
      undo: {
        import_id: run.importId,
        is_dry_run: run.isDryRun,
        deleted: run.isDryRun ? deletable : (work.tally.deleted ?? 0),
        stays: Object.fromEntries([...reasons].map(([reason, [[, count]]]) => [reason, count])),
        things: stays.map(({ id, kind, title, reason }) => ({
          id,
          type: kind,
          title,
          reason,
          message: reason === null ? null : REASONS[reason],
        })),
      },
    };
  }
}

function runOf({ id, parameters }: OperationWork): UndoRun {
  const { import_id: importId, is_dry_run: isDryRun } = parameters as unknown as Parameters;
  return { importId, operationId: id, isDryRun };
}
