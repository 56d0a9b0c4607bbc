import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { relationContent } from './relation.content.js';
import { RelationsController } from './relations.controller.js';
import { RelationsService } from './relations.service.js';

@Module({
  imports: [ResourcesModule],
  controllers: [RelationsController],
  providers: [RelationsService],
})
export class RelationsModule {
  constructor(contents: Contents) {
    contents.register(relationContent);
  }
}
