import { Bool, Id } from '../../platform/http/bodies/fields.js';

/** The place of a task in the order of its endeavour: exactly one of the properties. */
export class RankTaskDto {
  @Id('task', { description: 'Moves it directly before this task of the endeavour.' })
  before?: string;

  @Id('task', { description: 'Moves it directly behind this task of the endeavour.' })
  after?: string;

  @Bool({ description: 'Moves it before all others; only true.' })
  first?: boolean;

  @Bool({ description: 'Moves it behind all others; only true.' })
  last?: boolean;
}
