import { Bool, Id, Int, JsonObject, Language, Name, ObjectOf, OneOf, Text } from '../../platform/http/bodies/fields.js';
import { CreateRitualTaskDto, UpdateRitualTaskDto } from './ritual-task.dto.js';
import { ritualLifecycle, type RitualStatus } from './ritual.lifecycle.js';
import { ScheduleField } from './schedules/schedule.field.js';
import type { Schedule } from './schedules/schedule.js';

const MAX_PROMPT = 100_000;
const ITERATION_DAYS =
  'The length of the iteration that each run plans in the endeavour, behind the last one, if none is planned.';

export class CreateRitualDto {
  @Name({ required: true, example: 'Morning round' })
  name: string;

  @Text()
  description?: string;

  @Text({ max: MAX_PROMPT, description: 'The instructions for each run.' })
  prompt?: string;

  @ScheduleField()
  schedule?: Schedule;

  @ObjectOf(CreateRitualTaskDto, { description: 'The task that each run makes.' })
  task?: CreateRitualTaskDto;

  @Int({ min: 1, max: 366, description: ITERATION_DAYS })
  iteration_days?: number;

  @Bool({ description: 'Defaults to true.' })
  is_enabled?: boolean;

  @Language()
  lang?: string;

  @Id('endeavour', {
    isUsual: true,
    description: 'The endeavour of the ritual. Without it, the ritual is personal and does not run on its schedule.',
  })
  endeavour_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateRitualDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @Text({ max: MAX_PROMPT })
  prompt?: string | null;

  @ScheduleField()
  schedule?: Schedule | null;

  @ObjectOf(UpdateRitualTaskDto, {
    description: 'The task that each run makes, merged with the present one; null removes it.',
  })
  task?: UpdateRitualTaskDto | null;

  @Int({ min: 1, max: 366, description: ITERATION_DAYS })
  iteration_days?: number | null;

  @Bool({ nullable: false })
  is_enabled?: boolean;

  @Language({ nullable: false })
  lang?: string;

  @OneOf(ritualLifecycle.statuses, { nullable: false, description: 'Setting archived also disables the ritual.' })
  status?: RitualStatus;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

/** The properties that differ from the source of the fork. */
export class ForkRitualDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Text({ max: MAX_PROMPT })
  prompt?: string;

  @ScheduleField()
  schedule?: Schedule;

  @ObjectOf(CreateRitualTaskDto, {
    description:
      'The task that each run makes; that of the source by default, which must be usable in the new container.',
  })
  task?: CreateRitualTaskDto;

  @Int({ min: 1, max: 366, description: ITERATION_DAYS })
  iteration_days?: number;

  @Bool()
  is_enabled?: boolean;

  @Language()
  lang?: string;

  @Id('endeavour', {
    description:
      'The endeavour that receives the fork. Defaults to the container of the source if you can create rituals ' +
      'there, otherwise the fork is personal.',
  })
  endeavour_id?: string;

  @Id('organization', {
    description:
      'The organization that receives the fork instead; rituals of an organization do not run on their schedule.',
  })
  organization_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
