import type { JsonRecord } from '../../../common/texts/json.js';
import { importedRank } from '../../../common/ranks.js';
import { TASK_STATUSES } from '../../../common/statuses.js';
import { importedNumber } from '../../../common/work-keys.js';
import type { ImportedTask, ImportedTasks } from '../../tasks/imports/imported-tasks.service.js';
import { validBodyOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import * as items from './document-items.js';

/** Reads a task of an export, with its status and times. */
export function taskOf(
  tasks: ImportedTasks,
  data: JsonRecord,
  context: DocumentContext,
  containerId: string,
  id: string,
): ImportedTask {
  const status = items.enumValueOf(data.status, TASK_STATUSES, 'status');
  const isOver = status === 'done' || status === 'canceled';
  const createdAt = items.createdAtOf(data);
  const endedAt = isOver
    ? (items.pastTimeOf(data, status === 'done' ? 'completed_at' : 'canceled_at') ?? new Date())
    : null;
  const startedAt = items.pastTimeOf(data, 'started_at');
  validBodyOf(tasks.readChanges({ ...items.pick(data, ['actual']), canceled_reason: items.canceledReasonOf(data) }));
  return {
    id,
    dto: validBodyOf(tasks.read(items.taskBody(data, context, containerId))),
    status,
    canceledReason: items.canceledReasonOf(data),
    createdAt,
    // A task is created before it is started, and started before it ends.
    startedAt: startedAt && (startedAt < createdAt ? createdAt : startedAt),
    endedAt: endedAt && (endedAt < (startedAt ?? createdAt) ? (startedAt ?? createdAt) : endedAt),
    actual: typeof data.actual === 'number' ? data.actual : null,
    number: importedNumber(data.number),
    rank: importedRank(data.rank),
    assigneeId: context.memberOf(data, 'assignee_id', containerId) ?? null,
    creatorId: context.authorOf(data, 'creator_id', containerId),
    ownerId: context.memberOf(data, 'owner_id', containerId),
  };
}
