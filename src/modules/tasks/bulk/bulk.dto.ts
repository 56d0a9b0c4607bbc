import type { JsonRecord } from '../../../common/texts/json.js';
import { Bool } from '../../../platform/http/bodies/fields.js';
import { TaskFilter, type SentFilter } from '../claim/task-filter.field.js';
import { TaskChanges } from './task-changes.field.js';

export class BulkTasksDto {
  @TaskFilter({
    required: true,
    example: { endeavour_id: ['edv_01a2058a2753708eab9f22b2dd531f61'], status: ['planned'] },
    description:
      'The filters of `GET /tasks`, with the same names. Must name one `endeavour_id` or one `organization_id`.',
  })
  filter: SentFilter;

  @TaskChanges()
  changes: JsonRecord;

  @Bool({ description: 'Only reports how many tasks would change, and which would be refused and why.' })
  dry_run?: boolean;
}
