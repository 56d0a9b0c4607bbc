import { FIELD_KINDS, FIELD_TYPES, type DeclaredField } from '../../../common/declared-field.js';
import { written } from '../../../platform/database/views/text-traits.js';
import { json, type JsonSchema, type ViewField } from '../../../platform/database/views/view.js';

const fieldSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['key', 'name', 'type', 'options', 'applies_to', 'required_on', 'description'],
  properties: {
    key: { type: 'string', description: 'Its values stand in `metadata` under this key.' },
    name: { type: 'string' },
    type: { type: 'string', enum: [...FIELD_TYPES] },
    options: {
      type: 'array',
      items: { type: 'string' },
      description: 'The values of a choice or choices, in their order.',
    },
    applies_to: {
      type: ['string', 'null'],
      enum: [...FIELD_KINDS, null],
      description: 'The kind of work that has it; null for both.',
    },
    required_on: {
      type: ['string', 'null'],
      enum: ['create', null],
      description: 'Whether requests that create such work must set it.',
    },
    description: { type: ['string', 'null'] },
  },
};

/** The fields that an endeavour declares for its tasks and demands. */
export function declaredFieldsField(row: string): ViewField<DeclaredField[]> {
  const sql = `coalesce(${row}.fields, '[]')`;
  return written(
    {
      ...json<DeclaredField[]>(sql, {
        type: 'array',
        items: fieldSchema,
        description: 'The fields that it declares for the metadata of its tasks and demands.',
      }),
      kept: { sql, previous: (fields) => fields ?? [] },
    },
    'personal',
    'redactable',
  );
}
