import type { ReadBody } from '../../../platform/http/bodies/fields/body-reader.js';
import type { ImportedArtifacts } from '../../artifacts/imported-artifacts.service.js';
import type { ImportedDemands } from '../../demands/imported-demands.service.js';
import type { ImportedTasks } from '../../tasks/imports/imported-tasks.service.js';
import type { OwnKind } from '../formats/own-rows.js';

type PatchOf<I extends { readChanges: ReadBody<object> }> = Required<ReturnType<I['readChanges']>['dto']>;

/** Lists the properties of a patch that are true. A missing property is a compile error, because an edit would be ignored. */
const changeable = <T>(properties: Record<keyof T, boolean>): string[] =>
  Object.entries(properties).flatMap(([name, isChangeable]) => (isChangeable === true ? [name] : []));

/** The status follows the lifecycle, in several steps if need be, and takes the reason with it. */
const BY_LIFECYCLE = { status: false, canceled_reason: false };

/** The properties that an edited list of this service changes, by kind. */
export const OWN_FIELDS: Readonly<Record<OwnKind, readonly string[]>> = {
  task: changeable<PatchOf<ImportedTasks>>({
    ...BY_LIFECYCLE,
    endeavour_id: false,
    parent_id: false,
    title: true,
    description: true,
    owner_id: true,
    assignee_id: true,
    demand_id: true,
    iteration_id: true,
    goal_id: true,
    stage: true,
    start_date: true,
    due_date: true,
    due_day: true,
    priority: true,
    points: true,
    estimate: true,
    actual: true,
    labels: true,
    external_ref: true,
    metadata: true,
  }),
  demand: changeable<PatchOf<ImportedDemands>>({
    ...BY_LIFECYCLE,
    title: true,
    description: true,
    owner_id: true,
    iteration_id: true,
    goal_id: true,
    start_date: true,
    due_date: true,
    due_day: true,
    priority: true,
    labels: true,
    external_ref: true,
    metadata: true,
  }),
  artifact: changeable<PatchOf<ImportedArtifacts>>({
    status: true,
    title: true,
    kind: true,
    url: true,
    summary: true,
    tags: true,
    task_id: true,
    external_ref: true,
    metadata: true,
  }),
};
