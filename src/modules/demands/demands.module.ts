import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { demandContent } from './demand.content.js';
import { DemandsController } from './demands.controller.js';
import { OpenDemands } from './open-demands.js';
import { DemandsService } from './demands.service.js';

@Module({
  imports: [EndeavoursModule, ResourcesModule],
  controllers: [DemandsController],
  providers: [DemandsService, OpenDemands],
  exports: [DemandsService],
})
export class DemandsModule {
  constructor(contents: Contents) {
    contents.register(demandContent);
  }
}
