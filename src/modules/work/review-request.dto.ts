import { ResourceRefs } from '../../platform/http/bodies/fields.js';

export class RequestReviewDto {
  @ResourceRefs({
    required: true,
    min: 1,
    description: 'The people or teams to ask: members of the endeavour, or teams of its organizations.',
  })
  resource_ids: string[];
}
