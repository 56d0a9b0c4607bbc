import { FIELD_KINDS, FIELD_TYPES, type FieldKind, type FieldType } from '../../../common/declared-field.js';
import { OneOf, Text } from '../../../platform/http/bodies/fields.js';
import { FieldKey, FieldName, FieldOptionList } from './field.fields.js';

const MAX_DESCRIPTION = 2_000;

/** A declared field in a body. */
export class DeclaredFieldDto {
  @FieldKey({ required: true, example: 'severity', description: 'Its key in metadata; unique in the endeavour.' })
  key: string;

  @FieldName({ example: 'Severity', description: 'What people read; the key by default.' })
  name?: string;

  @OneOf(FIELD_TYPES, { required: true, example: 'choice' })
  type: FieldType;

  @FieldOptionList({ example: ['low', 'high'], description: 'The values of a choice or choices, in their order.' })
  options?: string[];

  @OneOf(FIELD_KINDS, { description: 'The kind of work that has it; both by default.' })
  applies_to?: FieldKind;

  @OneOf(['create'], { description: 'Whether requests that create such work must set it.' })
  required_on?: 'create';

  @Text({ max: MAX_DESCRIPTION })
  description?: string;
}
