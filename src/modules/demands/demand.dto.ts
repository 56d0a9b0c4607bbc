import type { SentExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefField,
  Id,
  JsonObject,
  Name,
  OneOf,
  ResourceRef,
  Text,
  DateOrDateTime,
  DayField,
  Keyword,
} from '../../platform/http/bodies/fields.js';
import { GOAL_OF_WORK } from '../endeavours/goals/goals.js';
import { ITERATION_OF_WORK } from '../iterations/iteration.rules.js';
import { LabelChanges, Labels } from '../labels/label.field.js';
import type { SentLabels } from '../labels/label.rules.js';
import { START_OF_WORK } from './start-dates.view.js';
import { demandLifecycle, PRIORITIES, type DemandStatus, type Priority } from './demand.lifecycle.js';

export class CreateDemandDto {
  @Keyword({
    required: true,
    pattern: /^[a-z][a-z0-9_-]{0,99}$/,
    example: 'story',
    description: 'One of story, bug, spike, chore, epic, feature, task, requirement, or your own type.',
  })
  type: string;

  @Name({ required: true, example: 'Visitors find the exit' })
  title: string;

  @Id('endeavour', { required: true })
  endeavour_id: string;

  @Text()
  description?: string;

  @OneOf(PRIORITIES, { description: 'Defaults to medium.' })
  priority?: Priority;

  @DayField({ description: START_OF_WORK })
  start_date?: string;

  @DateOrDateTime({ description: 'A date means the end of that day in the time zone of the endeavour.' })
  due_date?: string;

  @DayField({ description: 'The day that it is due on; the same as a date in due_date.' })
  due_day?: string;

  @Labels()
  labels?: string[];
  @Id('iteration', { description: ITERATION_OF_WORK })
  iteration_id?: string;

  @Id('goal', { description: GOAL_OF_WORK })
  goal_id?: string;

  @ExternalRefField({ isNew: true })
  external_ref?: SentExternalRef;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateDemandDto {
  @Name({ nullable: false })
  title?: string;

  @Text()
  description?: string | null;

  @OneOf(PRIORITIES, { nullable: false })
  priority?: Priority;

  @DayField({ description: START_OF_WORK })
  start_date?: string | null;

  @DateOrDateTime()
  due_date?: string | null;

  @DayField()
  due_day?: string | null;

  @LabelChanges()
  labels?: SentLabels;

  @ResourceRef({ description: 'null hands the demand back to its creator, or to you if the creator has left.' })
  owner_id?: string | null;

  @OneOf(demandLifecycle.statuses, { nullable: false, example: 'in_progress' })
  status?: DemandStatus;

  @Text({ description: 'Required if status is canceled; not accepted otherwise.' })
  canceled_reason?: string | null;

  @Id('iteration', { description: ITERATION_OF_WORK })
  iteration_id?: string | null;

  @Id('goal', { description: GOAL_OF_WORK })
  goal_id?: string | null;

  @ExternalRefField()
  external_ref?: SentExternalRef | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
