import { Module } from '@nestjs/common';
import { RightsController } from './rights.controller.js';
import { RightsRepository } from './rights.repository.js';
import { RightsService } from './rights.service.js';

/** Answers questions about the caller's permissions. */
@Module({
  controllers: [RightsController],
  providers: [RightsRepository, RightsService],
})
export class RightsModule {}
