import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FieldNames, JsonSchema, View } from '../database/view.js';
import type { Parsed } from '../listing/definition.js';
import { readQuery } from './plain-query.js';
import { rawQueryOf } from './query-parameters.js';
import { areUnknownFieldsIgnored } from './unknown-fields.js';

/** Anything with selectable properties, such as a view. */
interface HasFields {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses `fields`: names of properties of the view, returned in the order of the view. */
export function parseFields(view: HasFields, raw: string): Parsed {
  const known = Object.keys(view.fields);
  const named = new Set(raw.split(',').map((name) => name.trim()));
  const isKnown = [...named].every((name) => known.includes(name));
  if (!isKnown && !areUnknownFieldsIgnored()) {
    return {
      code: 'invalid_value',
      message: `fields must be a comma-separated list of ${known.join(', ')}.`,
      allowed: known,
    };
  }
  const selected = known.filter((name) => named.has(name));
  return { value: selected.length === 0 ? undefined : selected };
}

/** The parameter `fields` of an operation that returns the view, for the documents. */
export function fieldsParameter(view: HasFields): {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
  style: 'form';
  explode: boolean;
} {
  return {
    name: 'fields',
    required: false,
    description:
      'A comma-separated list of the properties to return, in the order of the schema. All other properties are ' +
      'absent, including those that the schema requires.',
    schema: {
      type: 'array',
      items: { type: 'string', enum: Object.keys(view.fields) },
      examples: [Object.keys(view.fields).slice(0, 1)],
    },
    style: 'form',
    explode: false,
  };
}

/** The selected properties of a resource that was not read by its view alone. */
export const selectFields = (resource: object, fields: FieldNames): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => fields.includes(name)));

/** Provides the selected properties to the handler of a read of one resource, which takes no other parameter. */
export const Fields = createParamDecorator((view: View, context: ExecutionContext): FieldNames | undefined => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const read = readQuery(rawQueryOf(request), { fields: (raw) => parseFields(view, raw) });
  return read.get('fields') as FieldNames | undefined;
});
