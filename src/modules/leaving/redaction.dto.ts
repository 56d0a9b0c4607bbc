import { Text, Word } from '../../platform/http/fields.js';

export class RedactDto {
  @Word({ required: true, example: 'description', description: 'The property of the changed thing.' })
  field: string;

  @Text({ required: true, example: 'It held a password.', description: 'Why; kept with the fact.' })
  reason: string;
}
