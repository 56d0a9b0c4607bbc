import { Id, ResourceRef, SomeOf } from '../../platform/http/fields.js';
import { HOLDINGS, type Holding } from './holdings.js';

export class ReassignDto {
  @ResourceRef({ required: true, description: 'Who takes the work over.' })
  to: string;

  @Id('endeavour', { description: 'Only the work in this endeavour.' })
  endeavour_id?: string;

  @SomeOf(HOLDINGS, { description: 'What is assigned to them, what they own, or both, which is the default.' })
  include?: Holding[];
}
