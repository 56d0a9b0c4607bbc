import { Flag, Text, Word } from '../../platform/http/fields.js';

export class OverrideDto {
  @Text({ required: true, example: 'The client accepted it as it is.', description: 'Why; not blank.' })
  reason: string;
}

export class PostResultDto {
  @Word({ required: true, example: 'security-scan', description: 'As a condition of the type custom_check names it.' })
  name: string;

  @Flag({ required: true })
  passed: boolean;

  @Text()
  detail?: string;
}
