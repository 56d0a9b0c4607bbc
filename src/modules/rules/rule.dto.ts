import type { JsonRecord } from '../../common/texts/json.js';
import {
  Bool,
  Id,
  JsonObject,
  ListOf,
  Name,
  ObjectOf,
  ResourceRefs,
  SomeOf,
  StringList,
  Text,
} from '../../platform/http/bodies/fields.js';
import { ListQuery } from '../views/list-query.field.js';
import { ROLES_OF_THING, type RoleOfThing, type RuleAction } from './rule.rules.js';

const ON = {
  max: 50,
  each: 81,
  description:
    'The types of events that trigger it, such as `task.status_changed` or `comment.*`: of tasks and demands, and of ' +
    'comments, artifacts, approvals and time entries on them.',
  example: ['task.status_changed'],
};
const FILTER = {
  description:
    'The conditions on the task or demand: parameters of GET /tasks or GET /demands, with the same names. It is triggered ' +
    'if they hold when the event is processed. null removes one in a patch.',
  example: { status: 'done', priority: 'high,urgent' },
};
const ACTIONS = {
  min: 1,
  max: 5,
  description: 'What it does with the task or demand, in this order; all or nothing.',
  example: [{ comment: { content: 'Please tell the customer.' } }],
};
const PATCH =
  'The body of a PATCH of the task or demand, except `endeavour_id` and the keys of `metadata` that the service reads.';
const ENABLED = 'Whether it runs. Once enabled, only new events trigger it.';

export class RuleCommentDto {
  @Text({ required: true, example: 'Please tell the customer.' })
  content: string;
}

export class RuleMessageDto {
  @SomeOf(ROLES_OF_THING, { description: 'People of the task or demand.', example: ['owner'] })
  to?: RoleOfThing[];

  @ResourceRefs({ max: 50, description: 'Further recipients. A team stands for its members.' })
  recipient_ids?: string[];

  @Name({ example: 'Done' })
  subject?: string;

  @Text({ required: true, example: 'It is done.' })
  content: string;
}

export class RuleActionDto {
  @JsonObject({ description: PATCH, example: { priority: 'high' } })
  patch?: JsonRecord;

  @ObjectOf(RuleCommentDto, { description: 'A comment on the task or demand.' })
  comment?: RuleCommentDto;

  @ObjectOf(RuleMessageDto, { description: 'A message about the task or demand.' })
  message?: RuleMessageDto;
}

export class CreateRuleDto {
  @Name({ required: true, example: 'Tell the customer' })
  name: string;

  @Id('endeavour', { required: true, isUsual: true })
  endeavour_id: string;

  @StringList({ required: true, ...ON })
  on: string[];

  @ListQuery(FILTER)
  filter?: JsonRecord;

  @ListOf(RuleActionDto, { required: true, ...ACTIONS })
  actions: RuleAction[];

  @Bool({ nullable: false, description: ENABLED })
  is_enabled?: boolean;
}

export class UpdateRuleDto {
  @Name({ nullable: false })
  name?: string;

  @StringList({ nullable: false, ...ON })
  on?: string[];

  @ListQuery({ nullable: false, ...FILTER })
  filter?: JsonRecord;

  @ListOf(RuleActionDto, { nullable: false, ...ACTIONS })
  actions?: RuleAction[];

  @Bool({ nullable: false, description: ENABLED })
  is_enabled?: boolean;
}
