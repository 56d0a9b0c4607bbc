import { externalController } from '../../../access/references/external-controller.js';
import { NewExternalTaskDto, PutExternalTaskDto } from './external-task.dto.js';
import { taskView } from '../task.view.js';
import { TasksService } from '../tasks.service.js';

export const ExternalTasksController = externalController({
  operation: 'tasks_by_external_put',
  path: 'tasks',
  tag: 'Tasks',
  view: taskView,
  container: 'endeavour',
  creation: 'tasks_create',
  fixed: [],
  creationBody: NewExternalTaskDto,
  patchBody: PutExternalTaskDto,
  refuses: ['invalid_transition', 'conflict', 'archived', 'quorum_not_met', 'dod_not_met', 'precondition_failed'],
  service: TasksService,
});
