import {
  fieldError,
  field,
  NO_FIELD_ERRORS,
  type FieldOptions,
  type FieldRule,
} from '../../../platform/http/bodies/fields/field.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { dropUnknown } from '../../../platform/context/unknown-fields.js';
import { SCHEDULE_TYPES, scheduleError, schedulePropertiesOf } from './schedule.js';

const DESCRIPTION =
  'When the ritual runs: `{"type": "manual"}`; `{"type": "cron", "expression": "0 9 * * 1-5", "timezone": ' +
  '"Europe/Berlin"}` (five fields); `{"type": "interval", "every": "2w", "start": ' +
  '"2026-11-23T09:00:00Z"}` (m, h, d, w; days and weeks keep the time of day; a number of weeks can have `"on": "monday"`); ' +
  'or `{"type": "monthly", "on": "last friday", "time": "18:00"}` (`on` is a day such as `31`, `last day`, or `2nd monday`; a ' +
  'day that a month lacks is its last). The time zone defaults to ' +
  'that of the endeavour. An update replaces the whole schedule.';

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more });

const SCHEDULE = exactly(
  { type: text('The kind of schedule.', { enum: [...SCHEDULE_TYPES] }) },
  {
    expression: text('For `cron`: an expression with five fields.'),
    every: text('For `interval`: a number followed by m, h, d or w, such as `2w`.', {
      pattern: '^[1-9][0-9]{0,3}[mhdw]$',
    }),
    on: text(
      'For `monthly`: a day such as `31`, `last day`, `2nd monday` or `last friday`; a day that a month lacks is its last. ' +
        'For `interval` with weeks: a day of the week.',
    ),
    time: text('For `monthly`: the time of day, midnight by default.', { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    start: text('For `interval`: the start of the first interval.', { format: 'date-time' }),
    timezone: text('An IANA time zone; defaults to that of the endeavour.'),
  },
);

const scheduleErrors: FieldRule['errorsOf'] = (value, at) => {
  const error = scheduleError(value);
  if (error === undefined) return NO_FIELD_ERRORS;
  return fieldError(at, typeof value === 'object' ? 'invalid_value' : 'invalid_type', error);
};

const prepare = (value: unknown): unknown => dropUnknown(value, schedulePropertiesOf(value));

/** A body property with the schedule of a ritual. */
export function ScheduleField(options: FieldOptions = {}): PropertyDecorator {
  const example = { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' };
  const schema = { anyOf: [component('RitualScheduleInput', SCHEDULE)], example };
  return field({ errorsOf: scheduleErrors, prepare }, schema, { description: DESCRIPTION, ...options });
}
