import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/contents/container-eraser.js';
import { Additions } from './additions.service.js';
import { Correspondents } from './correspondents.js';
import { Deliveries } from './deliveries.js';
import { InboxService } from './inbox.service.js';
import { MessageCopies } from './message-copies.js';
import { messageAttachments } from './message.erasing.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { Threads } from './threads.js';

@Module({
  controllers: [MessagesController],
  providers: [Additions, Correspondents, Deliveries, InboxService, MessageCopies, MessagesService, Threads],
  exports: [Additions, MessagesService],
})
export class MessagesModule {
  constructor(eraser: ContainerEraser) {
    eraser.attach(messageAttachments);
  }
}
