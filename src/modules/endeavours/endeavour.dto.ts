import type { SentExternalRef } from '../../common/external-ref.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import {
  ExternalRefField,
  Bool,
  Id,
  Int,
  JsonObject,
  Keyword,
  Language,
  ListOf,
  Name,
  OneOf,
  Text,
  DateOrDateTime,
  DayField,
  TimeZone,
} from '../../platform/http/bodies/fields.js';
import { MAX_FIELDS } from './fields/declared-fields.js';
import { DeclaredFieldDto } from './fields/field.dto.js';
import { GOAL_STATUSES, type GoalStatus } from './goals/goals.js';
import { StageName } from './stages/stage.field.js';
import { MAX_STAGES, MAX_WIP_LIMIT, STAGE_STATUSES, type StageStatus } from './stages/stages.js';

/** The key of an endeavour: 2 to 10 capital letters and digits, of which the first is a letter. */
const EndeavourKey = (options: { nullable?: boolean; description: string }): PropertyDecorator =>
  Keyword({ max: 10, pattern: /^[A-Z][A-Z0-9]{1,9}$/, ...options });

/** A goal in a body; a string is accepted as a goal with that title. */
export class GoalDto {
  @Id('goal', { description: 'The id of an existing goal to keep; omit it for a new goal.' })
  id?: string;

  @Name({ required: true, example: 'Every visitor finds the exit' })
  title: string;

  @OneOf(GOAL_STATUSES)
  status?: GoalStatus;

  @OneOf(Object.keys(KINDS))
  linked_entity_type?: string;

  @Id(Object.keys(KINDS) as Kind[])
  linked_entity_id?: string;

  @DayField({ description: 'The day by which the goal is to be achieved.' })
  due_day?: string;
}

/** A stage in a body. */
export class StageDto {
  @Id('stage', { description: 'The id of a stage to keep. Without one, the stage with this name is kept, or made.' })
  id?: string;

  @StageName({ required: true, example: 'Review', description: 'Unique in the endeavour; not none, without comma.' })
  name: string;

  @OneOf(STAGE_STATUSES, { required: true, example: 'active', description: 'Cannot be changed later.' })
  status: StageStatus;

  @Int({ min: 1, max: MAX_WIP_LIMIT, description: 'Without one, the stage takes any number of tasks. Not for done.' })
  wip_limit?: number;
}

const FIELDS = 'The fields of its tasks and demands, whose values stand in their metadata.';
const STAGES = 'The stages that its tasks go through, in this order.';

export class CreateEndeavourDto {
  @Name({ required: true, example: 'Open the garden' })
  name: string;

  @EndeavourKey({ description: 'By default, it is made from the name.' })
  key?: string;

  @Text()
  description?: string;

  @ListOf(GoalDto, { shorthand: 'title', example: [{ title: 'Every visitor finds the exit' }] })
  goals?: GoalDto[];

  @ListOf(StageDto, { max: MAX_STAGES, description: STAGES })
  stages?: StageDto[];

  @ListOf(DeclaredFieldDto, { max: MAX_FIELDS, description: FIELDS })
  fields?: DeclaredFieldDto[];

  @OneOf(['active', 'pending'])
  status?: 'active' | 'pending';

  @TimeZone()
  timezone?: string;

  @Language()
  lang?: string;

  @DateOrDateTime()
  start_date?: string;

  @DayField({ description: 'The same as a date in start_date.' })
  start_day?: string;

  @DateOrDateTime()
  end_date?: string;

  @DayField({ description: 'The same as a date in end_date.' })
  end_day?: string;

  @Bool({
    description:
      'Whether only direct members, and admins and owners of the home organization, have a role in the endeavour.',
  })
  is_private?: boolean;

  @ExternalRefField({ isNew: true })
  external_ref?: SentExternalRef;

  @JsonObject()
  metadata?: Record<string, unknown>;

  @Id('organization', { description: 'The home organization of the new endeavour.' })
  organization_id?: string;
}

export class UpdateEndeavourDto {
  @Name({ nullable: false })
  name?: string;

  @EndeavourKey({ nullable: false, description: 'The former key stays reserved for this endeavour and leads to it.' })
  key?: string;

  @Text()
  description?: string | null;

  @ListOf(GoalDto, { shorthand: 'title', description: 'Replaces all goals.' })
  goals?: GoalDto[] | null;

  @ListOf(StageDto, { max: MAX_STAGES, description: `${STAGES} Replaces all stages; only those without tasks can go.` })
  stages?: StageDto[] | null;

  @ListOf(DeclaredFieldDto, {
    max: MAX_FIELDS,
    description: `${FIELDS} Replaces all fields; values stay where they are.`,
  })
  fields?: DeclaredFieldDto[] | null;

  @OneOf(['pending', 'active', 'on_hold', 'completed'], { nullable: false })
  status?: 'pending' | 'active' | 'on_hold' | 'completed';

  @TimeZone({ nullable: false })
  timezone?: string;

  @Language({ nullable: false })
  lang?: string;

  @DateOrDateTime()
  start_date?: string | null;

  @DayField()
  start_day?: string | null;

  @DateOrDateTime()
  end_date?: string | null;

  @DayField()
  end_day?: string | null;

  @Bool({
    nullable: false,
    description:
      'Whether only direct members, and admins and owners of the home organization, have a role in the endeavour.',
  })
  is_private?: boolean;

  @ExternalRefField()
  external_ref?: SentExternalRef | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}

export class TransferEndeavourDto {
  @Id('organization', { required: true, description: 'The new home organization.' })
  organization_id: string;
}
