import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import { Fields } from '../../platform/http/selected-fields.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Delete, Patch, Post } from '../../platform/http/routes.js';
import { component, DELETED, exactly, extendedSchema, type Deleted } from '../../platform/http/schemas.js';
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
    description: 'Named recipients, or members of named teams, who are inactive or suspended and got nothing.',
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
    description: 'Your own inbox, newest first, whoever you are; `box=sent` for what you sent.',
    list: messageList,
  })
  list(@Me() me: Caller, @Query() query: RawQuery): Promise<Page> {
    return this.messages.list(me, query);
  }

  @Post()
  @Operation('messages_create', {
    summary: 'Send message',
    description:
      'To people, teams (their members), a whole endeavour or organization. Inactive and suspended users get none: those ' +
      'who were named are `undeliverable`, and where nobody remains it is 400. Viewers and guests get no message of ' +
      'intent `action` that goes to a scope.',
    status: 201,
    body: SendMessageDto,
    answer: sentSchema,
    refuses: ['forbidden', 'archived'],
  })
  create(
    @Me() me: Caller,
    @Body(bodies.Create(SendMessageDto, { representation })) dto: SendMessageDto,
  ): Promise<Representation> {
    return this.messages.create(me, dto);
  }

  @Get(':id')
  @Operation('messages_get', {
    summary: 'Get message',
    description: 'Does not mark it as read.',
    path: { id: 'message' },
    answer: messageView,
  })
  get(@Me() me: Caller, @Id() id: string, @Fields(messageView) fields?: FieldNames): Promise<Representation> {
    return this.messages.get(me, id, fields);
  }

  @Patch(':id')
  @Operation('messages_update', {
    summary: 'Mark message as read',
    description: 'Nothing else of a message changes. `{"read": false}` takes it back.',
    path: { id: 'message' },
    body: MarkMessageDto,
    bodyOptional: true,
    answer: messageView,
    refuses: ['forbidden'],
  })
  mark(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Patch(MarkMessageDto, { representation })) dto: MarkMessageDto,
  ): Promise<Representation> {
    return this.inbox.mark(me, id, dto);
  }

  @Post(':id/reply')
  @Operation('messages_reply', {
    summary: 'Reply to message',
    description:
      'To its sender, or with `all` to the sender and the recipients: of a message to a scope those who still have a role ' +
      'there, which you need too; else those whom you still see. A reply to your own message goes to its recipients.',
    status: 201,
    path: { id: 'message' },
    body: ReplyDto,
    answer: sentSchema,
    refuses: ['forbidden', 'conflict', 'archived'],
  })
  reply(
    @Me() me: Caller,
    @Id() id: string,
    @Body(bodies.Create(ReplyDto, { representation })) dto: ReplyDto,
  ): Promise<Representation> {
    return this.messages.reply(me, id, dto);
  }

  @Get(':id/thread')
  @Operation('messages_thread', {
    summary: 'Get message thread',
    description: 'What you sent or received of it, oldest first: the newest 200, or the 200 before `before`.',
    path: { id: 'message' },
    query: threadQuery,
    answer: threadSchema,
  })
  thread(@Me() me: Caller, @Id() id: string, @Query() query: RawQuery): Promise<Representation> {
    return this.messages.thread(me, id, query);
  }

  @Get(':id/recipients')
  @Operation('messages_recipients_list', {
    summary: 'List the recipients of a message',
    description: 'By name. Only its sender sees how far it got with each of them.',
    path: { id: 'message' },
    list: recipientList,
  })
  recipients(@Me() me: Caller, @Id() id: string, @Query() query: RawQuery): Promise<Page> {
    return this.messages.recipients(me, id, query);
  }

  @Post('read')
  @Operation('messages_mark_read', {
    summary: 'Mark several messages as read',
    description: 'The given ones, or all in your inbox. Answers with how many of them were unread.',
    body: MarkAllReadDto,
    answer: component('MarkedRead', exactly({ read: { type: 'integer' } })),
  })
  markRead(@Me() me: Caller, @Body(bodies.Create(MarkAllReadDto)) dto: MarkAllReadDto): Promise<{ read: number }> {
    return this.inbox.markRead(me, dto);
  }

  @Delete(':id')
  @Operation('messages_delete', {
    summary: 'Take message out of the inbox',
    description: 'Your own inbox only; its sender and the other recipients keep it.',
    path: { id: 'message' },
    answer: DELETED,
    refuses: ['forbidden'],
  })
  async remove(@Me() me: Caller, @Id() id: string): Promise<Deleted> {
    await this.inbox.remove(me, id);
    return { id, deleted: true };
  }
}
