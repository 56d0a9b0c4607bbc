import { Id } from '../../../platform/http/bodies/fields.js';
import { TaskFilter, type SentFilter } from './task-filter.field.js';

export class ClaimTaskDto {
  @Id('endeavour', { required: true })
  endeavour_id: string;

  @TaskFilter()
  filter?: SentFilter;
}
