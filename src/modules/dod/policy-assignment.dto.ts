import { Id } from '../../platform/http/fields.js';

export class AssignPolicyDto {
  @Id('dod_policy', { required: true, description: 'A global policy, or one of an organization of the endeavour.' })
  policy_id: string;
}
