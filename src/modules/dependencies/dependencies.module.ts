import { Module } from '@nestjs/common';
import { DependenciesRepository } from './dependencies.repository.js';
import { DependenciesService } from './dependencies.service.js';

@Module({
  providers: [DependenciesRepository, DependenciesService],
  exports: [DependenciesService],
})
export class DependenciesModule {}
