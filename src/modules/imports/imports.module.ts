import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { RelationsModule } from '../relations/relations.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { ImportCleanup } from './import-cleanup.js';
import { ImportedItems } from './imported-items.service.js';
import { ImportPieces } from './import-pieces.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [CommentsModule, EndeavoursModule, OperationsModule, RelationsModule, TasksModule],
  controllers: [ImportsController],
  providers: [ImportCleanup, ImportedItems, ImportPieces, ImportsRepository, ImportsService],
})
export class ImportsModule {}
