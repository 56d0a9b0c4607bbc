import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller.js';
import { Me } from '../../access/me.js';
import { Operation } from '../../access/operation.js';
import type { Representation } from '../../platform/database/view.js';
import * as bodies from '../../platform/http/body.pipe.js';
import type { Page } from '../../platform/http/page.js';
import { Query, type RawQuery } from '../../platform/http/raw-query.js';
import { Patch, Post } from '../../platform/http/routes.js';
import { MarkMessageDto, ReplyDto, SendMessageDto } from './message.dto.js';
import { messageList, threadList } from './message.list.js';
import { messageView } from './message.view.js';
import { MessagesService } from './messages.service.js';

const representation = Object.keys(messageView.fields);
const Id = () => Param('id', bodies.PathId('message'));

@ApiTags('Messages')
@Controller('messages')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

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
    description: 'To people, teams (their members), a whole endeavour or organization. Inactive users get none.',
    status: 201,
    body: SendMessageDto,
    answer: messageView,
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
    description: 'Does not mark it as read. Only its sender sees who has read it.',
    path: { id: 'message' },
    answer: messageView,
  })
  get(@Me() me: Caller, @Id() id: string): Promise<Representation> {
    return this.messages.get(me, id);
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
    return this.messages.mark(me, id, dto);
  }

  @Post(':id/reply')
  @Operation('messages_reply', {
    summary: 'Reply to message',
    description: 'To its sender, or with `all` to everyone who got it. An answer to your own goes to its recipients.',
    status: 201,
    path: { id: 'message' },
    body: ReplyDto,
    answer: messageView,
    refuses: ['forbidden', 'conflict'],
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
    description: 'Every message of the thread that you sent or received, oldest first.',
    path: { id: 'message' },
    list: threadList,
  })
  thread(@Me() me: Caller, @Id() id: string, @Query() query: RawQuery): Promise<Page> {
    return this.messages.thread(me, id, query);
  }
}
