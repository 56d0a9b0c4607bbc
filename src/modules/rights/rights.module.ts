import { Module } from '@nestjs/common';
import { Rehearsals } from '../../platform/http/rehearsal.js';
import { OperationRoutes } from './operation-routes.js';
import { RightsController } from './rights.controller.js';
import { RightsRepository } from './rights.repository.js';
import { RightsService } from './rights.service.js';

/** Answers questions about the caller's permissions. */
@Module({
  controllers: [RightsController],
  providers: [OperationRoutes, Rehearsals, RightsRepository, RightsService],
})
export class RightsModule {}
