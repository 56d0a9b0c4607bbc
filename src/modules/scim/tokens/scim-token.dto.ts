import { Name } from '../../../platform/http/bodies/fields.js';

export class CreateScimTokenDto {
  @Name({ required: true, example: 'Company directory' })
  name: string;
}
