import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { Differ } from './differ.js';
import { DIFF_CONTROLLERS } from './diffs.controllers.js';
import { FieldChanges } from './field-changes.js';
import { TaskDiffsService } from './task-diffs.service.js';
import { VersionDiffsService } from './version-diffs.service.js';

/** Compares two versions of an entity, or the states of a task at two times. */
@Module({
  imports: [ActivityModule],
  controllers: DIFF_CONTROLLERS,
  providers: [Differ, FieldChanges, TaskDiffsService, VersionDiffsService],
})
export class DiffsModule {}
