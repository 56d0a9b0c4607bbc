import { Module } from '@nestjs/common';
import { Assignments } from './assignments.service.js';
import { ResourcesService } from './resources.service.js';

@Module({ providers: [ResourcesService, Assignments], exports: [ResourcesService, Assignments] })
export class ResourcesModule {}
