import { Flag, Id, JsonObject, OneOf, Text } from '../../platform/http/fields.js';
import { runLifecycle, type RunStatus } from './ritual.lifecycle.js';

export class CreateRitualRunDto {
  @Id('ritual', { required: true })
  ritual_id: string;

  @OneOf(['manual', 'api'], { description: 'manual where nothing is said.' })
  trigger?: 'manual' | 'api';

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateRitualRunDto {
  @Flag({ nullable: false, description: 'true makes you run_by, unless somebody else is; false changes nothing.' })
  claim?: boolean;

  @OneOf(runLifecycle.statuses, { nullable: false, example: 'succeeded' })
  status?: RunStatus;

  @Text()
  result_summary?: string | null;

  @JsonObject({ description: 'What the run has changed; replaced as a whole.' })
  effects?: Record<string, unknown> | null;

  @JsonObject({ description: 'Why it failed; replaced as a whole.' })
  error?: Record<string, unknown> | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
