import { Module } from '@nestjs/common';
import { DatedWork } from '../endeavours/dates/dated-work.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { DependenciesModule } from '../dependencies/dependencies.module.js';
import { DemandsModule } from '../demands/demands.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { IterationsModule } from '../iterations/iterations.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { UsersModule } from '../users/users.module.js';
import { BulkTasksController } from './bulk/bulk.controller.js';
import { BulkPatches } from './bulk/bulk-patches.service.js';
import { BulkTasksRepository } from './bulk/bulk.repository.js';
import { BulkTasksService } from './bulk/bulk.service.js';
import { ChecklistController } from './checklist/checklist.controller.js';
import { ChecklistRenewals } from './checklist/checklist-renewals.service.js';
import { ChecklistsService } from './checklist/checklists.service.js';
import { ClaimController } from './claim/claim.controller.js';
import { ClaimRepository } from './claim/claim.repository.js';
import { ClaimService } from './claim/claim.service.js';
import { DemandMovesController } from './demand-moves/demand-moves.controller.js';
import { DemandMovesService } from './demand-moves/demand-moves.service.js';
import { GraphController } from './graph/graph.controller.js';
import { GraphRepository } from './graph/graph.repository.js';
import { GraphService } from './graph/graph.service.js';
import { EndeavourLoadController, ResourceLoadController } from './load/load.controller.js';
import { LoadRepository } from './load/load.repository.js';
import { LoadService } from './load/load.service.js';
import { ProgressController } from './progress/progress.controller.js';
import { ProgressRepository } from './progress/progress.repository.js';
import { ProgressService } from './progress/progress.service.js';
import { StageFlowRepository } from './progress/stage-flow.repository.js';
import { ChangedTasks } from './changed-tasks.service.js';
import { LoggedTime } from './imports/logged-time.service.js';
import { TaskReassignment } from './assignees/task-reassignment.js';
import { OpenTasks } from './completion/open-tasks.js';
import { OpenTasksRepository } from './completion/open-tasks.repository.js';
import { OverridesService } from './completion/overrides.service.js';
import { TaskStagesRepository } from './stages/task-stages.repository.js';
import { TaskStages } from './stages/task-stages.service.js';
import { taskContainment } from './task.containment.js';
import { TaskParents } from './parts/task-parents.js';
import { TaskPatches } from './task-patches.service.js';
import { TaskTransitions } from './task-transitions.js';
import { TasksController } from './tasks.controller.js';
import { TasksRepository } from './tasks.repository.js';
import { ExternalTasksController } from './imports/external-tasks.controller.js';
import { ImportedTasksRepository } from './imports/imported-tasks.repository.js';
import { ImportedTasks } from './imports/imported-tasks.service.js';
import { taskList } from './task.list.js';
import { PriorityRenewals } from './priority/priority-renewals.service.js';
import { RecurringTasks } from './completion/recurring-tasks.service.js';
import { TasksService } from './tasks.service.js';
import { UnblockedTasks } from './completion/unblocked-tasks.service.js';

@Module({
  imports: [
    DemandsModule,
    DependenciesModule,
    EndeavoursModule,
    LabelsModule,
    IterationsModule,
    OperationsModule,
    ResourcesModule,
    UsersModule,
  ],
  controllers: [
    TasksController,
    ExternalTasksController,
    BulkTasksController,
    ChecklistController,
    ClaimController,
    DemandMovesController,
    GraphController,
    ProgressController,
    ResourceLoadController,
    EndeavourLoadController,
  ],
  providers: [
    TasksRepository,
    TasksService,
    TaskParents,
    TaskStages,
    TaskStagesRepository,
    TaskPatches,
    BulkPatches,
    BulkTasksRepository,
    BulkTasksService,
    ImportedTasks,
    ImportedTasksRepository,
    LoggedTime,
    TaskTransitions,
    TaskReassignment,
    OpenTasks,
    OpenTasksRepository,
    OverridesService,
    PriorityRenewals,
    RecurringTasks,
    UnblockedTasks,
    ChangedTasks,
    GraphRepository,
    GraphService,
    ChecklistRenewals,
    ChecklistsService,
    ClaimRepository,
    ClaimService,
    DemandMovesService,
    ProgressRepository,
    ProgressService,
    StageFlowRepository,
    LoadRepository,
    LoadService,
  ],
  exports: [
    TasksRepository,
    TasksService,
    ImportedTasks,
    LoggedTime,
    OverridesService,
    RecurringTasks,
    TaskParents,
    UnblockedTasks,
    ChangedTasks,
    GraphService,
    ProgressService,
  ],
})
export class TasksModule {
  constructor(
    containedResources: ContainedResources,
    searchables: Searchables,
    savedLists: SavedLists,
    datedWork: DatedWork,
    tasks: TasksRepository,
  ) {
    datedWork.register(tasks.deriveDueDates);
    containedResources.register(taskContainment);
    searchables.register({ list: taskList, hasTitleIndex: true });
    savedLists.register(taskList);
  }
}
