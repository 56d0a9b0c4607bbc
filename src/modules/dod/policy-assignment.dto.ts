import { Id } from '../../platform/http/fields.js';

export class AssignPolicyDto {
  @Id('dod_policy', {
    required: true,
    description:
      'A global policy, one of the home organization of the endeavour, its own, or a personal one of an admin of it.',
  })
  policy_id: string;
}
