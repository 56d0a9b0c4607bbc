import { KINDS, type Kind } from '../../common/kinds.js';
import { Bool, Id, Ids, JsonObject, Name, OneOf, ResourceRefs, Text } from '../../platform/http/bodies/fields.js';
import { INTENTS, MESSAGE_SCOPES, type Intent, type MessageScope } from './intents.js';

const KIND_NAMES = Object.keys(KINDS) as Kind[];

export class SendMessageDto {
  @ResourceRefs({
    max: 200,
    example: ['me'],
    description: 'The recipients. A team stands for its members. Required unless a scope is given.',
  })
  recipient_ids?: string[];

  @OneOf(MESSAGE_SCOPES, {
    description: 'Sends the message to everyone with a role in this endeavour or organization, except the sender.',
  })
  scope_type?: MessageScope;

  @Id(MESSAGE_SCOPES)
  scope_id?: string;

  @Name({ example: 'The gate' })
  subject?: string;

  @Text({ required: true, example: 'Shall we paint it green?' })
  content: string;

  @OneOf(INTENTS, { example: 'question' })
  intent?: Intent;

  @OneOf(KIND_NAMES, { description: 'Follows from entity_id.' })
  entity_type?: Kind;

  @Id(KIND_NAMES, { description: 'The entity that the message is about.' })
  entity_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class MarkMessageDto {
  @Bool({ nullable: false, description: 'Defaults to true.', example: true })
  read?: boolean;
}

export class MarkAllReadDto {
  @Ids('message', { max: 200, description: 'Messages in your inbox. Required unless all is true.' })
  ids?: string[];

  @Bool({ description: 'All messages in your inbox.', example: true })
  all?: boolean;
}

export class ReplyDto {
  @Text({ required: true, example: 'Green it is.' })
  content: string;

  @Name({ description: 'Defaults to the subject of the message.' })
  subject?: string;

  @Bool({ description: 'Whether to reply to the sender and the other recipients instead of only to the sender.' })
  all?: boolean;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
