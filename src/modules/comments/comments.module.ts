import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WatchesModule } from '../watches/watches.module.js';
import { commentContainment } from './comment.containment.js';
import { commentSearch } from './comment.list.js';
import { CommentsController } from './comments.controller.js';
import { CommentsRepository } from './comments.repository.js';
import { CommentsService } from './comments.service.js';
import { ImportedComments } from './imported-comments.service.js';
import { MentionsService } from './mentions.service.js';

@Module({
  imports: [MessagesModule, WatchesModule],
  controllers: [CommentsController],
  providers: [CommentsRepository, CommentsService, ImportedComments, MentionsService],
  exports: [CommentsRepository, ImportedComments],
})
export class CommentsModule {
  constructor(containedResources: ContainedResources, searchables: Searchables) {
    containedResources.register(commentContainment);
    searchables.register(commentSearch);
  }
}
