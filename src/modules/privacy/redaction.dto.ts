import { Text, Keyword } from '../../platform/http/bodies/fields.js';

export class RedactDto {
  @Keyword({ required: true, example: 'description', description: 'The property of the changed entity.' })
  field: string;

  @Text({
    required: true,
    isReason: true,
    example: 'The text contained a password.',
    description: 'The reason; it is stored with the redaction.',
  })
  reason: string;
}
