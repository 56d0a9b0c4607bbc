import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { MessagesModule } from '../messages/messages.module.js';
import { commentContent } from './comment.content.js';
import { CommentsController } from './comments.controller.js';
import { CommentsService } from './comments.service.js';
import { Mentions } from './mentions.service.js';

@Module({
  imports: [MessagesModule],
  controllers: [CommentsController],
  providers: [CommentsService, Mentions],
})
export class CommentsModule {
  constructor(contents: Contents) {
    contents.register(commentContent);
  }
}
