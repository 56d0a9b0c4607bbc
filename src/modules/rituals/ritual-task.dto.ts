import { fieldError, field, NO_FIELD_ERRORS, type FieldOptions } from '../../platform/http/bodies/fields/field.js';
import { Id, ListOf, Name, ResourceRef, Text } from '../../platform/http/bodies/fields.js';
import { Labels } from '../labels/label.field.js';
import { DUE_IN, isDueIn, isStartIn, START_IN, type ChecklistText } from './ritual-task.js';

const MAX_ITEMS = 100;
const MAX_ITEM = 500;

/** The length of time from the run until the task is due. */
function DueIn(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = (value: unknown, at: string) => {
    if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
    return isDueIn(value)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_format', 'must be a number up to 9999 followed by m, h, d or w, such as 3d.');
  };
  const description =
    'When the task is due, from the run on: a number followed by m, h, d or w. Days and weeks give a day in the time zone ' +
    'of the endeavour (`0d`: the day of the run), minutes and hours an instant.';
  return field({ errorsOf, isText: true }, { type: 'string', pattern: DUE_IN }, { description, ...options });
}

/** The length of time from the run until work on the task is to begin. */
function StartIn(options: FieldOptions = {}): PropertyDecorator {
  const errorsOf = (value: unknown, at: string) => {
    if (typeof value !== 'string') return fieldError(at, 'invalid_type', 'must be a string.');
    return isStartIn(value)
      ? NO_FIELD_ERRORS
      : fieldError(at, 'invalid_format', 'must be a number up to 9999 followed by d or w, such as 3d.');
  };
  const description =
    'The `start_date` of the task, from the run on: a number followed by d or w (`0d`: the day of the run in the time zone ' +
    'of the endeavour); not longer than `due_in`.';
  return field({ errorsOf, isText: true }, { type: 'string', pattern: START_IN }, { description, ...options });
}

/** An item of the checklist of the tasks; a string is accepted for one. */
export class RitualTaskItemDto implements ChecklistText {
  @Text({ required: true, max: MAX_ITEM })
  text: string;
}

const CHECKLIST = {
  shorthand: 'text',
  max: MAX_ITEMS,
  description: 'Becomes metadata.checklist, with nothing checked.',
};
const LABELS = { description: 'The labels of the tasks.' };
const ASSIGNEE = { description: 'Who can be assigned to work of the endeavour.' };
const DEMAND = { description: 'A demand of the endeavour that is not fulfilled.' };

export class CreateRitualTaskDto {
  @Name({ required: true, example: 'Water the plants' })
  title: string;

  @Text()
  description?: string;

  @ResourceRef(ASSIGNEE)
  assignee_id?: string;

  @Id('demand', DEMAND)
  demand_id?: string;

  @StartIn()
  start_in?: string;

  @DueIn()
  due_in?: string;

  @Labels(LABELS)
  labels?: string[];

  @ListOf(RitualTaskItemDto, CHECKLIST)
  checklist?: RitualTaskItemDto[];
}

export class UpdateRitualTaskDto {
  @Name({ nullable: false, description: 'Required if the ritual has no task yet.' })
  title?: string;

  @Text()
  description?: string | null;

  @ResourceRef(ASSIGNEE)
  assignee_id?: string | null;

  @Id('demand', DEMAND)
  demand_id?: string | null;

  @StartIn()
  start_in?: string | null;

  @DueIn()
  due_in?: string | null;

  @Labels(LABELS)
  labels?: string[] | null;

  @ListOf(RitualTaskItemDto, CHECKLIST)
  checklist?: RitualTaskItemDto[] | null;
}
