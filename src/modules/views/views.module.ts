import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { ImportedViews } from './imported-views.service.js';
import { viewContainment } from './view.containment.js';
import { ViewsController } from './views.controller.js';
import { ViewsRepository } from './views.repository.js';
import { ViewsService } from './views.service.js';

@Module({
  imports: [EndeavoursModule],
  controllers: [ViewsController],
  providers: [ImportedViews, ViewsRepository, ViewsService],
  exports: [ImportedViews, ViewsService],
})
export class ViewsModule {
  constructor(containedResources: ContainedResources) {
    containedResources.register(viewContainment);
  }
}
