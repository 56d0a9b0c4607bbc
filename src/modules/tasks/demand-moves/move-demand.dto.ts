import { Id, OneOf } from '../../../platform/http/bodies/fields.js';

/** Which tasks of a demand move along. */
export const MOVED_TASKS = ['open', 'all', 'none'] as const;
export type MovedTasks = (typeof MOVED_TASKS)[number];

export class MoveDemandDto {
  @Id('endeavour', { required: true, description: 'The endeavour that it moves to.' })
  endeavour_id: string;

  @OneOf(MOVED_TASKS, {
    required: true,
    description:
      'The tasks that move along: open ones are planned or active. The others stay in the endeavour, without their demand.',
  })
  with: MovedTasks;
}
