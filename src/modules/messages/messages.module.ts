import { Module } from '@nestjs/common';
import { Correspondents } from './correspondents.js';
import { Deliveries } from './deliveries.js';
import { MessageCopies } from './message-copies.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';

@Module({
  controllers: [MessagesController],
  providers: [Correspondents, Deliveries, MessageCopies, MessagesService],
  exports: [MessagesService],
})
export class MessagesModule {}
