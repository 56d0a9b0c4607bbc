import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FieldNames, JsonSchema, View } from '../../database/views/view.js';
import type { Parsed } from './parsed.js';
import { invalidField } from '../../../common/errors.js';
import { JSON_TYPE } from '../responses/envelope.js';
import { idOf } from '../bodies/fields/links.js';
import { readQuery } from './plain-query.js';
import { rawQueryOf } from './query-parameters.js';
import { component, exactly } from '../openapi/schemas.js';
import { areUnknownFieldsIgnored } from '../../context/unknown-fields.js';

export const VIEW_AND_FIELDS = 'view and fields cannot be combined.';

/** Anything with selectable properties, such as a view. */
interface HasFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly named?: Readonly<Record<string, unknown>>;
}

const selectableNames = ({ fields, named }: HasFields): string[] => Object.keys({ ...fields, ...named });

/** Parses `fields`: names of properties of the view, returned in the order of the view. */
export function parseFields(view: HasFields, raw: string): Parsed {
  const known = selectableNames(view);
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

/** What a compact representation shows of any kind, as far as the kind has it. */
const COMPACT = [
  'id',
  'title',
  'name',
  'subject',
  'type',
  'kind',
  'status',
  'verdict',
  'is_enabled',
  'entity_type',
  'entity_id',
  'endeavour_id',
  'organization_id',
  'assignee_id',
  'due_date',
  'updated_at',
  'revision',
];

const VIEWS = ['full', 'compact'];

/** The properties of the compact representation, in the order of the view; all of them if the kind has none of these. */
function compactFieldsOf(view: HasFields): string[] {
  const names = Object.keys(view.fields);
  const compact = names.filter((name) => COMPACT.includes(name));
  return compact.length > 0 ? compact : names;
}

/** Parses `view`: `compact` selects the properties of the compact representation. */
export function parseView(view: HasFields, raw: string): Parsed {
  if (raw === 'compact') return { value: compactFieldsOf(view) };
  // Clients written for another server send views of their own.
  if (raw === 'full' || areUnknownFieldsIgnored()) return { value: undefined };
  return { code: 'invalid_value', message: `view must be one of ${VIEWS.join(', ')}.`, allowed: VIEWS };
}

/**
 * The parameter `view` of an operation that returns the view; declares the schema of its compact representation. Some
 * lists also take the id of a saved query.
 */
export function viewParameter(
  view: View,
  { takesSavedQueries = false } = {},
): {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
} {
  const properties = compactFieldsOf(view).map((name) => [name, view.fields[name].schema]);
  component(`${view.name}Compact`, exactly(Object.fromEntries(properties) as Record<string, JsonSchema>));
  return {
    name: 'view',
    required: false,
    description:
      'With `compact`, the representation is small and closed (the schema whose name ends in `Compact`).' +
      (takesSavedQueries
        ? ' With the id of a view (viw_...), the list also has the parameters that are saved in it: `limit`, `sort` and ' +
          '`fields` of the request replace those of the view, and filters of both must match.'
        : ''),
    // One text, because clients of some generators send no alternatives in a query.
    schema: takesSavedQueries
      ? { type: 'string', pattern: `^(?:${VIEWS.join('|')})$|${idOf('view').pattern}` }
      : { type: 'string', enum: VIEWS },
  };
}

/**
 * The media type of a response, whose profile says that it is not the whole representation: `partial` for selected
 * properties, so that clients do not validate it against the whole schema, `compact` for the compact representation.
 */
export function jsonTypeOf(query: unknown): string {
  const { fields, view } = (query ?? {}) as Record<string, unknown>;
  if (view === 'compact') return `${JSON_TYPE}; profile=compact`;
  return typeof fields === 'string' && fields !== '' ? `${JSON_TYPE}; profile=partial` : JSON_TYPE;
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
      'The properties to return, in the order of the schema. All other properties are absent, including those that the ' +
      'schema requires: the response is `application/json; profile=partial`.' +
      (view.named === undefined ? '' : ` Only requests that name them get ${Object.keys(view.named).join(' and ')}.`),
    schema: {
      type: 'array',
      items: { type: 'string', enum: selectableNames(view) },
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
  const read = readQuery(rawQueryOf(request), {
    fields: (raw) => parseFields(view, raw),
    view: (raw) => parseView(view, raw),
  });
  if (read.has('fields') && read.has('view')) throw invalidField('view', 'invalid_value', VIEW_AND_FIELDS);
  return (read.get('fields') ?? read.get('view')) as FieldNames | undefined;
});
