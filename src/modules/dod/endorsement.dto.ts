import { Id } from '../../platform/http/fields.js';

export class CreateEndorsementDto {
  @Id('endeavour', { required: true })
  endeavour_id: string;

  @Id('dod_policy', { description: 'What you mean to bind yourself to; refused where the endeavour goes by another.' })
  policy_id?: string;
}
