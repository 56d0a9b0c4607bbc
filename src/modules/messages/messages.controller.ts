import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { Fields } from '../../platform/http/requests/selected-fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import {
  TransactionalDelete,
  TransactionalPatch,
  TransactionalPost,
} from '../../platform/http/requests/transactional-routes.js';
import { component, DELETED, exactly, extendedSchema, type Deleted } from '../../platform/http/openapi/schemas.js';
import { InboxService } from './inbox.service.js';
import { MarkAllReadDto, MarkMessageDto, ReplyDto, SendMessageDto } from './message.dto.js';
import { messageList } from './message.list.js';
import { messageView } from './message.view.js';
import { MessagesService } from './messages.service.js';
import { recipientList } from './recipient.list.js';
import { threadQuery, threadSchema } from './threads.js';

const representation = Object.keys(messageView.fields);
const sentSchema = extendedSchema('SentMessage', messageView, {
  undeliverable: {
    type: 'array',
    items: { type: 'string', pattern: '^res_[0-9a-f]{32}$' },
    description:
      'Named recipients, or members of named teams, who did not receive the message because they are inactive ' +
      'or suspended.',
  },
});
const Id = () => Param('id', bodies.PathId('message'));

@ApiTags('Messages')
@Controller('messages')
export class MessagesController {
  constructor(
    private readonly inbox: InboxService,
    private readonly messages: MessagesService,
  ) {}

  @Get()
  @Operation('messages_list', {
    summary: 'List inbox',
    description:
      'Returns the messages in your own inbox, newest first, also for administrators. With `box=sent`, returns ' +
      'the messages that you sent.',
    list: messageList,
  })
  list(@CurrentCaller() me: Caller, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.messages.list(me, query);
  }

  @TransactionalPost()
  @Operation('messages_create', {
    summary: 'Send message',
    description:
      'Sends a message to people, to teams (their members), or to a whole endeavour or organization. Inactive ' +
      'and suspended users receive nothing: named ones are listed in `undeliverable`, and the response is 400 if ' +
      'no active recipient is left. Viewers and guests do not receive messages with the intent `action` that ' +
      'are sent to a scope.',
    status: 201,
    body: SendMessageDto,
    response: sentSchema,
    refuses: ['forbidden', 'archived'],
  })
  create(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(SendMessageDto, { representation })) dto: SendMessageDto,
  ): Promise<Representation> {
    return this.messages.create(me, dto);
  }

  @Get(':id')
  @Operation('messages_get', {
    summary: 'Get message',
    description: 'Returns the message without marking it as read.',
    path: { id: 'message' },
    resource: messageView,
  })
  get(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Fields(messageView) fields?: FieldNames,
  ): Promise<Representation> {
    return this.messages.get(me, id, fields);
  }

  @TransactionalPatch(':id')
  @Operation('messages_update', {
    summary: 'Mark message as read',
    description: 'Other properties of a message cannot be changed. Send `{"read": false}` to mark it as unread.',
    path: { id: 'message' },
    body: MarkMessageDto,
    bodyOptional: true,
    response: messageView,
    refuses: ['forbidden'],
  })
  mark(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.PatchBody(MarkMessageDto, { representation })) dto: MarkMessageDto,
  ): Promise<Representation> {
    return this.inbox.mark(me, id, dto);
  }

  @TransactionalPost(':id/reply')
  @Operation('messages_reply', {
    summary: 'Reply to message',
    description:
      'Replies to the sender, or with `all` to the sender and the recipients. For a message to a scope, these ' +
      'are the people who still have a role there, and you need a role there too; otherwise, the people who are ' +
      'still visible to you. A reply to your own message goes to its recipients.',
    status: 201,
    createdIn: '/messages',
    path: { id: 'message' },
    body: ReplyDto,
    response: sentSchema,
    refuses: ['forbidden', 'conflict', 'archived'],
  })
  reply(
    @CurrentCaller() me: Caller,
    @Id() id: string,
    @Body(bodies.CreateBody(ReplyDto, { representation })) dto: ReplyDto,
  ): Promise<Representation> {
    return this.messages.reply(me, id, dto);
  }

  @Get(':id/thread')
  @Operation('messages_thread_get', {
    summary: 'Get message thread',
    description:
      'Returns the messages of the thread that you sent or received, oldest first: the newest 200, or the 200 ' +
      'before `before`.',
    path: { id: 'message' },
    query: threadQuery,
    response: threadSchema,
  })
  thread(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Representation> {
    return this.messages.thread(me, id, query);
  }

  @Get(':id/recipients')
  @Operation('messages_recipients_list', {
    summary: 'List the recipients of a message',
    description: 'Ordered by name. Only the sender sees the delivery status of each recipient.',
    path: { id: 'message' },
    list: recipientList,
  })
  recipients(@CurrentCaller() me: Caller, @Id() id: string, @QueryParameters() query: RawQuery): Promise<Page> {
    return this.messages.recipients(me, id, query);
  }

  @TransactionalPost('read')
  @Operation('messages_read', {
    summary: 'Mark several messages as read',
    description:
      'Marks the given messages, or all messages in your inbox, as read. Returns the number of messages that were unread.',
    body: MarkAllReadDto,
    response: component('MarkedRead', exactly({ read: { type: 'integer' } })),
  })
  markRead(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(MarkAllReadDto)) dto: MarkAllReadDto,
  ): Promise<{ read: number }> {
    return this.inbox.markRead(me, dto);
  }

  @TransactionalDelete(':id')
  @Operation('messages_delete', {
    summary: 'Remove message from inbox',
    description: 'Removes the message from your own inbox only; the sender and the other recipients keep it.',
    path: { id: 'message' },
    response: DELETED,
    refuses: ['forbidden'],
  })
  async remove(@CurrentCaller() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.inbox.remove(me, id);
    return { id, deleted: true };
  }
}
