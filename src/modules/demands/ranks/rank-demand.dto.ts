import { Bool, Id } from '../../../platform/http/bodies/fields.js';

/** The place of a demand in the order of its endeavour: exactly one of the properties. */
export class RankDemandDto {
  @Id('demand', { description: 'Moves it directly before this demand of the endeavour.' })
  before?: string;

  @Id('demand', { description: 'Moves it directly behind this demand of the endeavour.' })
  after?: string;

  @Bool({ description: 'Moves it before all others; only true.' })
  first?: boolean;

  @Bool({ description: 'Moves it behind all others; only true.' })
  last?: boolean;
}
