import { Name } from '../../platform/http/fields.js';

export class CreateScimTokenDto {
  @Name({ required: true, example: 'Company directory' })
  name: string;
}
