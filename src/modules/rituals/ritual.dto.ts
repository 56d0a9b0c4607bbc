import { Flag, Id, JsonObject, Language, Name, OneOf, Text } from '../../platform/http/fields.js';
import { ritualLifecycle, type RitualStatus } from './ritual.lifecycle.js';
import { ScheduleField } from './schedule.field.js';
import type { Schedule } from './schedule.js';

const MOST_PROMPT = 100_000;

export class CreateRitualDto {
  @Name({ required: true, example: 'Morning round' })
  name: string;

  @Text()
  description?: string;

  @Text({ max: MOST_PROMPT, description: 'What is to be done each time.' })
  prompt?: string;

  @ScheduleField()
  schedule?: Schedule;

  @Flag({ description: 'true where nothing is said.' })
  is_enabled?: boolean;

  @Language()
  lang?: string;

  @Id('endeavour', { isUsual: true, description: 'Without one it is personal, and does not fire.' })
  endeavour_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateRitualDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  description?: string | null;

  @Text({ max: MOST_PROMPT })
  prompt?: string | null;

  @ScheduleField()
  schedule?: Schedule | null;

  @Flag({ nullable: false })
  is_enabled?: boolean;

  @Language({ nullable: false })
  lang?: string;

  @OneOf(ritualLifecycle.statuses, { nullable: false, description: 'archived disables it.' })
  status?: RitualStatus;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

/** What a fork has otherwise than its source. */
export class ForkRitualDto {
  @Name()
  name?: string;

  @Text()
  description?: string;

  @Text({ max: MOST_PROMPT })
  prompt?: string;

  @ScheduleField()
  schedule?: Schedule;

  @Flag()
  is_enabled?: boolean;

  @Language()
  lang?: string;

  @Id('endeavour', {
    description: "Where it goes. Without a place: to the source's own if you may create there, else to you.",
  })
  endeavour_id?: string;

  @Id('organization', { description: 'Where it goes instead; it does not fire there.' })
  organization_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
