import { Id, ResourceRef, SomeOf } from '../../../platform/http/bodies/fields.js';
import { WORK_ROLES, type WorkRole } from './work-roles.js';

export class ReassignDto {
  @ResourceRef({ required: true, description: 'The new assignee and owner.' })
  to: string;

  @Id('endeavour', { description: 'Reassigns only the work in this endeavour.' })
  endeavour_id?: string;

  @SomeOf(WORK_ROLES, {
    description:
      'Whether to reassign the work that is assigned to the resource, the work that it owns, or both. Defaults to both.',
  })
  include?: WorkRole[];
}
