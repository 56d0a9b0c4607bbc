import { Keyword } from '../../platform/http/bodies/fields.js';

export class CreateDomainDto {
  @Keyword({
    required: true,
    max: 253,
    example: 'example.com',
    description: 'The domain of the e-mail addresses of the organization. Those of public mail providers are refused.',
  })
  domain: string;
}
