import { fault, field, NO_FAULTS, type FieldOptions, type FieldRule } from '../../platform/http/fields/field.js';
import { SCHEDULE_TYPES, scheduleFault } from './schedule.js';

const DESCRIPTION = `When it is to be done: \`{"type": "manual"}\`; \`{"type": "cron", "expression": "0 9 * * 1-5", "timezone": "Europe/Berlin"}\` (five fields); \`{"type": "interval", "every": "2w", "start": "2026-11-23T09:00:00Z"}\` (m, h, d, w; days and weeks keep the time of day). The time zone is the endeavour's where none is given. It is replaced as a whole.`;

const faults: FieldRule['faults'] = (value, at) => {
  const found = scheduleFault(value);
  if (found === undefined) return NO_FAULTS;
  return fault(at, typeof value === 'object' ? 'invalid_value' : 'invalid_type', found);
};

/** A ritual's schedule. */
export function ScheduleField(options: FieldOptions = {}): PropertyDecorator {
  const schema = {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', enum: [...SCHEDULE_TYPES] } },
    additionalProperties: true,
    example: { type: 'cron', expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  } as const;
  return field({ faults }, schema as never, { description: DESCRIPTION, ...options });
}
