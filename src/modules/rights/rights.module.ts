import { Module } from '@nestjs/common';
import { DryRunRequests } from '../../platform/http/dry-run-requests.js';
import { OperationRoutes } from './operation-routes.js';
import { RightsController } from './rights.controller.js';
import { RightsRepository } from './rights.repository.js';
import { RightsService } from './rights.service.js';

/** Answers questions about the caller's permissions. */
@Module({
  controllers: [RightsController],
  providers: [OperationRoutes, DryRunRequests, RightsRepository, RightsService],
})
export class RightsModule {}
