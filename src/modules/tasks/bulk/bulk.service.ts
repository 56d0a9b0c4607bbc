import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict, invalidField } from '../../../common/errors.js';
import { isId } from '../../../common/ids.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import type { AcceptedOperation } from '../../../platform/http/responses/accepted-operation.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { EndeavourHomesService } from '../../endeavours/homes/endeavour-homes.service.js';
import { FieldLists } from '../../endeavours/fields/field-lists.service.js';
import { OperationsService } from '../../operations/operations.service.js';
import type { OperationWork } from '../../operations/operation-types.js';
import { taskCounts } from '../task.list.js';
import { inQueryForm, readTaskFilter } from '../claim/task-filter.field.js';
import type { BulkTasksDto } from './bulk.dto.js';
import { BulkPatches } from './bulk-patches.service.js';
import { BulkTasksRepository } from './bulk.repository.js';
import { readTaskChanges } from './task-changes.field.js';

const MAX_TASKS = 10_000;
const MAX_REFUSALS = 1_000;

interface Parameters {
  ids: readonly string[];
  changes: JsonRecord;
  isDryRun: boolean;
}

/** Changes many tasks as an operation, in batches. */
@Injectable()
export class BulkTasksService {
  constructor(
    private readonly access: Access,
    private readonly fieldLists: FieldLists,
    private readonly homes: EndeavourHomesService,
    private readonly operations: OperationsService,
    private readonly patches: BulkPatches,
    private readonly repository: BulkTasksRepository,
  ) {
    operations.register({
      name: 'tasks_bulk',
      authorize: (me, { containerId }) => this.access.authorizeWithoutLock(me, 'tasks_bulk', containerId),
      step: (me, work, limit) => this.step(me, work, limit),
      finish: (_me, work) => this.report(work),
      report: (work) => this.report(work),
    });
  }

  /** Selects the tasks now: tasks that match the filter later are not part of the operation. */
  async start(me: Caller, { filter, changes, dry_run = false }: BulkTasksDto): Promise<AcceptedOperation> {
    const list = await this.fieldLists.listFor(me, taskCounts, { query: inQueryForm(filter) });
    const request = readTaskFilter(filter, list);
    const container = await this.containerOf(me, request);
    this.access.assertWritable(container);
    const ids = await this.repository.find(me, list, request, MAX_TASKS + 1);
    if (ids.length > MAX_TASKS) {
      throw conflict('too_large', `The filter matches more than ${MAX_TASKS} tasks; narrow it.`);
    }
    return this.operations.start(me, {
      type: 'tasks_bulk',
      containerId: container.id,
      organizationId: container.kind === 'organization' ? container.id : await this.homes.homeOf(container.id),
      parameters: { ids, changes, isDryRun: dry_run } satisfies Parameters,
      total: ids.length,
      closes: { endeavourIds: [] },
      isCancelable: true,
    });
  }

  private containerOf(me: Caller, { filters }: ListRequest): Promise<AuthorizedResource> {
    for (const kind of ['endeavour', 'organization'] as const) {
      const value = filters.get(`${kind}_id`);
      if (value === undefined) continue;
      const [id, ...others] = value as string[];
      const field = `filter.${kind}_id`;
      if (others.length > 0 || !isId(kind, id)) {
        throw invalidField(field, 'invalid_value', `${field} must be the id of one ${kind}.`);
      }
      return this.access.resolveReference(me, 'tasks_bulk', field, id, kind);
    }
    throw invalidField('filter.endeavour_id', 'required', 'Set filter.endeavour_id or filter.organization_id.');
  }

  private async step(me: Caller, { id, parameters, tally }: OperationWork, limit: number): Promise<number> {
    const { ids, changes, isDryRun } = parameters as unknown as Parameters;
    const { changed = 0, unchanged = 0, refused = 0 } = tally;
    const position = changed + unchanged + refused;
    const batch = ids.slice(position, position + limit);
    if (batch.length === 0) return 0;
    const dto = readTaskChanges(changes);
    const result = await (isDryRun ? this.patches.preview(me, batch, dto, tally) : this.patches.apply(me, batch, dto));
    await this.repository.addRefusals(id, result.refusals);
    tally.changed = changed + result.changed;
    tally.refused = refused + result.refusals.length;
    tally.unchanged = unchanged + batch.length - result.changed - result.refusals.length;
    return batch.length;
  }

  private async report({ id, parameters, tally }: OperationWork): Promise<object> {
    const { changed = 0, unchanged = 0, refused = 0 } = tally;
    const refusals = await this.repository.takeRefusals(id, MAX_REFUSALS);
    return { dry_run: (parameters as unknown as Parameters).isDryRun, changed, unchanged, refused, refusals };
  }
}
