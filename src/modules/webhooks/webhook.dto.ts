import { Bool, Id, Link, Text, StringList } from '../../platform/http/bodies/fields.js';

const MAX_PATTERNS = 50;
const EVENTS = {
  max: MAX_PATTERNS,
  each: 81,
  description:
    'The types of events to send, such as `task.created`, `task.*` or `*.deleted`. Defaults to `*`, all types. Events of ' +
    'messages are never sent.',
  example: ['task.*', 'comment.created'],
};
const URL = 'The URL to which events are sent. It must use https and a public address.';

export class CreateWebhookDto {
  @Link({ required: true, description: URL, example: 'https://hooks.example.com/worksmith' })
  url: string;

  @Id('organization', {
    description:
      'Sends the events of this organization and of the endeavours whose home it is. Cannot be combined with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', {
    description: 'Sends the events of this endeavour. Cannot be combined with organization_id.',
    isUsual: true,
  })
  endeavour_id?: string;

  @StringList(EVENTS)
  events?: string[];

  @Text({ max: 500, description: 'The purpose of the webhook.' })
  description?: string;

  @Bool({ nullable: false, description: 'Whether events are sent; defaults to true.' })
  is_enabled?: boolean;
}

export class UpdateWebhookDto {
  @Link({ nullable: false, description: URL })
  url?: string;

  @StringList(EVENTS)
  events?: string[] | null;

  @Text({ max: 500, description: 'The purpose of the webhook.' })
  description?: string | null;

  @Bool({ nullable: false, description: 'Whether events are sent. After enabling, only new events are sent.' })
  is_enabled?: boolean;
}
