import { KINDS, type Kind } from '../../common/kinds.js';
import { Flag, Id, Ids, JsonObject, Name, OneOf, ResourceRefs, Text } from '../../platform/http/fields.js';
import { INTENTS, SCOPES, type Intent, type Scope } from './intents.js';

const KIND_NAMES = Object.keys(KINDS) as Kind[];

export class SendMessageDto {
  @ResourceRefs({
    max: 200,
    example: ['me'],
    description: 'A team stands for its members. Needed where there is no scope.',
  })
  recipient_ids?: string[];

  @OneOf(SCOPES, { description: 'Everyone with a role there, without the sender.' })
  scope_type?: Scope;

  @Id(SCOPES)
  scope_id?: string;

  @Name({ example: 'The gate' })
  subject?: string;

  @Text({ required: true, example: 'Shall we paint it green?' })
  content: string;

  @OneOf(INTENTS, { example: 'question' })
  intent?: Intent;

  @OneOf(KIND_NAMES, { description: 'Follows from entity_id.' })
  entity_type?: Kind;

  @Id(KIND_NAMES, { description: 'What the message is about.' })
  entity_id?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class MarkMessageDto {
  @Flag({ nullable: false, description: 'True where nothing is said.' })
  read?: boolean;
}

export class MarkAllReadDto {
  @Ids('message', { max: 200, description: 'Messages in your inbox. Needed where all is not true.' })
  ids?: string[];

  @Flag({ description: 'Everything in your inbox.', example: true })
  all?: boolean;
}

export class ReplyDto {
  @Text({ required: true, example: 'Green it is.' })
  content: string;

  @Name({ description: 'That of the message where none is given.' })
  subject?: string;

  @Flag({ description: 'To the sender and the recipients, not to the sender alone.' })
  all?: boolean;

  @JsonObject()
  metadata?: Record<string, unknown>;
}
