import { Bool, Id, Link, Text, StringList } from '../../platform/http/fields.js';

const MOST_PATTERNS = 50;
const EVENTS = {
  max: MOST_PATTERNS,
  each: 81,
  description:
    'Which types of events are sent: `task.created`, `task.*`, `*.deleted`, or `*` for all, which is the default. Events ' +
    'of messages are never sent.',
  example: ['task.*', 'comment.created'],
};
const URL = 'Where events are sent: https, and a public address.';

export class CreateWebhookDto {
  @Link({ required: true, description: URL, example: 'https://hooks.example.com/worksmith' })
  url: string;

  @Id('organization', {
    description: 'Events of the organization and of the endeavours whose home it is. Not with endeavour_id.',
  })
  organization_id?: string;

  @Id('endeavour', { description: 'Events of this endeavour. Not with organization_id.', isUsual: true })
  endeavour_id?: string;

  @StringList(EVENTS)
  events?: string[];

  @Text({ max: 500, description: 'What it is for.' })
  description?: string;

  @Bool({ nullable: false, description: 'Whether events are sent; so by default.' })
  is_enabled?: boolean;
}

export class UpdateWebhookDto {
  @Link({ nullable: false, description: URL })
  url?: string;

  @StringList(EVENTS)
  events?: string[] | null;

  @Text({ max: 500, description: 'What it is for.' })
  description?: string | null;

  @Bool({ nullable: false, description: 'Whether events are sent. Sending begins with what happens from then on.' })
  is_enabled?: boolean;
}
