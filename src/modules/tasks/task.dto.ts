import type { SentExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefField,
  Hours,
  Id,
  Keyword,
  Name,
  OneOf,
  ResourceRef,
  Text,
  DateOrDateTime,
  DayField,
} from '../../platform/http/bodies/fields.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { PRIORITIES, type Priority } from '../demands/demand.lifecycle.js';
import { START_OF_WORK } from '../demands/start-dates.view.js';
import { GOAL_OF_WORK } from '../endeavours/goals/goals.js';
import { ITERATION_OF_WORK } from '../iterations/iteration.rules.js';
import { LabelChanges, Labels } from '../labels/label.field.js';
import type { SentLabels } from '../labels/label.rules.js';
import { TaskMetadata } from './completion/attestation.js';

const POINTS = 'Its size in points.';
const STAGE = 'A stage of the endeavour, by its name or id.';
const PARENT =
  'A task of the same endeavour that it is a part of; writes the relation parent_of, for which tokens need ' +
  'relations:write. null makes it a part of none.';
const PRIORITY = 'Without one, the task has the priority of its demand, see effective_priority.';

export class CreateTaskDto {
  @Name({ required: true, example: 'Paint the garden gate' })
  title: string;

  @Id('endeavour', { required: true })
  endeavour_id: string;

  @Text()
  description?: string;

  @ResourceRef()
  assignee_id?: string;

  @Id('demand', { description: 'A demand in the same endeavour.' })
  demand_id?: string;

  @Id('task', { description: PARENT })
  parent_id?: string;

  @DayField({ description: START_OF_WORK })
  start_date?: string;

  @DateOrDateTime({ description: 'A date means the end of that day in the time zone of the endeavour.' })
  due_date?: string;

  @DayField({ description: 'The day that it is due on; the same as a date in due_date.' })
  due_day?: string;

  @Hours({ description: 'Hours.' })
  estimate?: number;

  @Hours({ description: POINTS })
  points?: number;

  @OneOf(PRIORITIES, { description: PRIORITY })
  priority?: Priority;

  @Labels()
  labels?: string[];
  @Id('iteration', { description: ITERATION_OF_WORK })
  iteration_id?: string;

  @Id('goal', { description: GOAL_OF_WORK })
  goal_id?: string;

  @Keyword({ description: `${STAGE} One of the status planned, by default the first.` })
  stage?: string;

  @ExternalRefField({ isNew: true })
  external_ref?: SentExternalRef;

  @TaskMetadata({ isNew: true })
  metadata?: Record<string, unknown>;
}

export class UpdateTaskDto {
  @Name({ nullable: false })
  title?: string;

  @Id('endeavour', {
    nullable: false,
    description: 'Moves the task with its artifacts, comments and approvals to this endeavour.',
  })
  endeavour_id?: string;

  @Text()
  description?: string | null;

  @ResourceRef()
  assignee_id?: string | null;

  @Id('demand')
  demand_id?: string | null;

  @Id('task', { description: PARENT })
  parent_id?: string | null;

  @DayField({ description: START_OF_WORK })
  start_date?: string | null;

  @DateOrDateTime()
  due_date?: string | null;

  @DayField()
  due_day?: string | null;

  @Hours()
  estimate?: number | null;

  @Hours({ description: POINTS })
  points?: number | null;

  @OneOf(PRIORITIES, { description: PRIORITY })
  priority?: Priority | null;

  @LabelChanges()
  labels?: SentLabels;

  @Hours({ description: 'The hours spent. Read-only if the task has time entries, whose sum it is.' })
  actual?: number | null;

  @ResourceRef({ description: 'null hands the task back to its creator, or to you if the creator has left.' })
  owner_id?: string | null;

  @OneOf(TASK_STATUSES, { nullable: false, example: 'active' })
  status?: TaskStatus;

  @Text({ description: 'Required if status is canceled; not accepted otherwise.' })
  canceled_reason?: string | null;

  @Id('iteration', { description: ITERATION_OF_WORK })
  iteration_id?: string | null;

  @Id('goal', { description: GOAL_OF_WORK })
  goal_id?: string | null;

  @Keyword({
    nullable: false,
    description: `${STAGE} One of another status changes the status too. A change of only the status leads to its first stage.`,
  })
  stage?: string;

  @ExternalRefField()
  external_ref?: SentExternalRef | null;

  @TaskMetadata()
  metadata?: Record<string, unknown> | null;
}
