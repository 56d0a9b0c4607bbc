import { Bool, Id, JsonObject, OneOf, Text } from '../../../platform/http/bodies/fields.js';
import { runLifecycle, type RunStatus } from '../ritual.lifecycle.js';

export class CreateRitualRunDto {
  @Id('ritual', { required: true })
  ritual_id: string;

  @OneOf(['manual', 'api'], { description: 'Defaults to manual.' })
  trigger?: 'manual' | 'api';

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateRitualRunDto {
  @Bool({
    nullable: false,
    description: 'true sets run_by to you, unless another resource has claimed the run; false has no effect.',
  })
  claim?: boolean;

  @OneOf(runLifecycle.statuses, { nullable: false, example: 'succeeded' })
  status?: RunStatus;

  @Text()
  result_summary?: string | null;

  @JsonObject({ description: 'The changes that the run made. Replaces the previous value.' })
  effects?: Record<string, unknown> | null;

  @JsonObject({ description: 'Why the run failed. Replaces the previous value.' })
  error?: Record<string, unknown> | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
