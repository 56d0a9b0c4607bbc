import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { AdditionNoticesService } from './addition-notices.service.js';
import { RecipientResolver } from './recipient-resolver.js';
import { InboxService } from './inbox.service.js';
import { MessageCopies } from './message-copies.js';
import { MessageCopiesRepository } from './message-copies.repository.js';
import { messageAttachments } from './message.containment.js';
import { MessageDeliveriesRepository } from './message-deliveries.repository.js';
import { messageSearch } from './message.list.js';
import { MessagesController } from './messages.controller.js';
import { MessagesRepository } from './messages.repository.js';
import { MessagesService } from './messages.service.js';
import { Threads } from './threads.js';

@Module({
  controllers: [MessagesController],
  providers: [
    AdditionNoticesService,
    RecipientResolver,
    InboxService,
    MessageCopies,
    MessageCopiesRepository,
    MessageDeliveriesRepository,
    MessagesRepository,
    MessagesService,
    Threads,
  ],
  exports: [AdditionNoticesService, MessagesService],
})
export class MessagesModule {
  constructor(eraser: ContainerEraser, searchables: Searchables) {
    eraser.attach(messageAttachments);
    searchables.register(messageSearch);
  }
}
