import { Id, ListOf } from '../../../platform/http/bodies/fields.js';

export class CreateEndorsementDto {
  @Id('endeavour', { required: true })
  endeavour_id: string;

  @Id('dod_policy', {
    description:
      'The policy that you intend to endorse. The request fails if another policy is assigned to the endeavour.',
  })
  policy_id?: string;
}

export class CreateEndorsementsDto {
  @ListOf(CreateEndorsementDto, {
    required: true,
    min: 1,
    max: 50,
    description: 'The endorsements, at most one for each endeavour.',
  })
  endorsements: CreateEndorsementDto[];
}
