import { Id } from '../../../platform/http/bodies/fields.js';

export class AssignPolicyDto {
  @Id('dod_policy', {
    required: true,
    description:
      'A global policy, a policy of the home organization of the endeavour or of the endeavour itself, or a ' +
      'personal policy of one of its admins.',
  })
  policy_id: string;
}
