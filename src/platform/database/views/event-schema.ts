import type { JsonSchema, View } from './view.js';

/** Kinds of values that events never lose: they are neither erased nor ids of what the reader cannot see. */
const isLasting = ({ type, enum: values, format }: JsonSchema): boolean =>
  values !== undefined || format === 'date-time' || ['integer', 'number', 'boolean'].includes(String(type));

const nullable = (schema: JsonSchema, isErased: boolean): JsonSchema => {
  const { type, ...rest } = schema;
  if (typeof type === 'string') return isLasting(schema) && !isErased ? schema : { ...rest, type: [type, 'null'] };
  return type === undefined && schema.$ref !== undefined ? { anyOf: [schema, { type: 'null' }] } : schema;
};

/**
 * The OpenAPI schema of what events store of a representation. No property is required: earlier events have fewer, readers
 * with less access see fewer, and values that were erased or refer to what the reader cannot see are null.
 */
export function eventDataSchema(view: View): JsonSchema {
  const kept = Object.entries(view.fields).filter(([, field]) => field.kept === undefined || field.kept.sql !== null);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      kept.map(([name, { schema, isErased }]) => [name, nullable(withoutProse(schema), isErased === true)]),
    ),
  };
}

/** The representation already has these texts. */
function withoutProse({ description: _text, example: _one, examples: _some, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
