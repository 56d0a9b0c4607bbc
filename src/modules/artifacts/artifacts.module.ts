import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { artifactContent } from './artifact.content.js';
import { ArtifactsController } from './artifacts.controller.js';
import { ArtifactsService } from './artifacts.service.js';

@Module({
  imports: [EndeavoursModule],
  controllers: [ArtifactsController],
  providers: [ArtifactsService],
})
export class ArtifactsModule {
  constructor(contents: Contents) {
    contents.register(artifactContent);
  }
}
