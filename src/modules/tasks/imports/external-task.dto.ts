import type { SentExternalRef } from '../../../common/external-ref.js';
import { ExternalRefField, Id, Name, OneOf } from '../../../platform/http/bodies/fields.js';
import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import { CreateTaskDto, UpdateTaskDto } from '../task.dto.js';

const REF = 'Only the url; source and id come from the path.';

/** The body of PUT by-external if it creates the task. */
export class NewExternalTaskDto extends CreateTaskDto {
  @Id('endeavour')
  override endeavour_id: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The body of PUT by-external: the properties of POST and PATCH. */
export class PutExternalTaskDto extends UpdateTaskDto {
  @Name({ nullable: false, description: 'Required for a new task.', example: 'Paint the garden gate' })
  override title?: string;

  @OneOf(TASK_STATUSES, { nullable: false, isUsual: false, description: 'Not accepted for a new task.' })
  override status?: TaskStatus;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}
