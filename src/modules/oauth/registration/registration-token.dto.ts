import { Name } from '../../../platform/http/bodies/fields.js';

export class CreateRegistrationTokenDto {
  @Name({ required: true, example: 'Partner portal' })
  name: string;
}
