import { Global, Module } from '@nestjs/common';
import { OperationQueueRepository } from './operation-queue.repository.js';
import { OperationTypes } from './operation-types.js';
import { OperationsController } from './operations.controller.js';
import { OperationsRepository } from './operations.repository.js';
import { OperationsService } from './operations.service.js';
import { OperationsWorker } from './operations.worker.js';

/** Work that takes longer than a request; features register their types and start it through the service. */
@Global()
@Module({
  controllers: [OperationsController],
  providers: [OperationQueueRepository, OperationsRepository, OperationsService, OperationsWorker, OperationTypes],
  exports: [OperationsService],
})
export class OperationsModule {}
