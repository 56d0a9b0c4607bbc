import { Bool, Text, Keyword } from '../../platform/http/bodies/fields.js';

export class OverrideDto {
  @Text({
    required: true,
    isReason: true,
    example: 'Accepted by the client as it is.',
    description: 'The reason; must not be blank.',
  })
  reason: string;
}

export class PostResultDto {
  @Keyword({
    required: true,
    example: 'security-scan',
    description: 'The name that a condition of the type custom_check expects.',
  })
  name: string;

  @Bool({ required: true })
  passed: boolean;

  @Text()
  detail?: string;
}
