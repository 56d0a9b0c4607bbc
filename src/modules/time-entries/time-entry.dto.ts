import { DayField, Id, Int, ResourceRef, Text } from '../../platform/http/bodies/fields.js';
import { MOST_MINUTES } from './time-entry.rules.js';

const MINUTES = { min: 1, max: MOST_MINUTES };
const RESOURCE = 'Who did the work; you by default. Only admins of the endeavour can name another resource.';

export class CreateTimeEntryDto {
  @Id('task', { required: true, isUsual: true, description: 'A planned or active task.' })
  task_id: string;

  @Int({ ...MINUTES, required: true, example: 90 })
  minutes: number;

  @DayField({ required: true, example: '2026-11-20', description: 'The day of the work.' })
  day: string;

  @Text({ description: 'What was done.' })
  note?: string;

  @ResourceRef({ description: RESOURCE })
  resource_id?: string;
}

export class UpdateTimeEntryDto {
  @Int({ ...MINUTES, nullable: false })
  minutes?: number;

  @DayField({ nullable: false })
  day?: string;

  @Text()
  note?: string | null;

  @ResourceRef({ nullable: false, description: RESOURCE })
  resource_id?: string;
}
