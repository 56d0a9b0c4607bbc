import type { JsonSchema } from '../database/views/view.js';
import { fieldsParameter, viewParameter } from '../http/requests/selected-fields.js';
import { ARCHIVED_VALUES, type Filter, type ListDefinition, type ListSearch } from './definition.js';

interface Parameter {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
  /** How an array is written: with `explode: false`, its items are separated by commas. */
  style?: 'form';
  explode?: boolean;
}

/** The format of a cursor; its content is opaque to clients. */
export const CURSOR = { type: 'string', maxLength: 4_096, pattern: '^[A-Za-z0-9_-]*$' } as const;

const flag = { type: 'boolean' };

const parameter = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  required: false,
  description,
  schema,
});

const ARCHIVED = parameter(
  'archived',
  'Whether to list entities in archived endeavours and organizations: false excludes them, true lists only these, any lists both.',
  { type: 'string', enum: [...ARCHIVED_VALUES], default: 'false' },
);

const SHORT =
  'One or two characters match the beginnings of words, and only the matches up to the end of the page are counted. ' +
  'At most 10,000 matches are counted; meta.total_is is at_least if there are more.';

const searchOf = ({ relevance }: ListSearch): string =>
  relevance === undefined
    ? `The text to search for. ${SHORT}`
    : `The text to search for. ${SHORT} Longer texts match: words (all of them), "a phrase", -excluded, or; a ` +
      'part of the title; or an id. With sort=relevance, entities with any of the words match, best matches ' +
      'first; if more than 5,000 match, only the newest are ranked.';

/** Several keys are accepted for lists within an endeavour. */
function sortParameter(definition: ListDefinition): Parameter {
  const names = Object.keys(definition.sorts).flatMap((name) => [name, `-${name}`]);
  if (definition.search?.relevance !== undefined) names.push('relevance');
  const usual = definition.defaultSort ?? '-created_at';
  if (!takesSeveralKeys(definition)) {
    return parameter('sort', 'The sort key; prefix it with - for descending order.', {
      type: 'string',
      enum: names,
      default: usual,
    });
  }
  const said =
    'The sort key; prefix it with - for descending order. With endeavour_id, two or three keys separated by ' +
    'commas.';
  const schema = { type: 'array', items: { type: 'string', enum: names }, minItems: 1, maxItems: 3, default: [usual] };
  return { ...parameter('sort', said, schema), style: 'form', explode: false };
}

export const takesSeveralKeys = ({ filters }: ListDefinition): boolean => 'endeavour_id' in filters;

/** The documentation of a list's parameters: the common ones and those of its definition. */
export function listParameters(definition: ListDefinition): Parameter[] {
  return [
    ...Object.entries(definition.filters)
      .filter(([, { isUntyped }]) => isUntyped !== true)
      .map(([name, filter]) => parameter(name, filter.description, filter.schema)),
    ...(definition.search === undefined
      ? []
      : [
          parameter('search', searchOf(definition.search), {
            type: 'string',
            minLength: 1,
            maxLength: 200,
          }),
        ]),
    ...(definition.isArchived === undefined ? [] : [ARCHIVED]),
    sortParameter(definition),
    fieldsParameter(definition.view),
    viewParameter(definition.view, definition),
    parameter(
      'limit',
      'The maximum number of items, 1 to 200. Larger values are treated as 200; meta.limit returns the applied ' +
        'value.',
      {
        type: 'integer',
        minimum: 1,
        default: 50,
      },
    ),
    parameter('offset', 'The number of items to skip, at most 100,000; use cursor to go further.', {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
    }),
    parameter('cursor', 'The `meta.next_cursor` of the previous page. Cannot be combined with `offset`.', CURSOR),
    parameter('count', 'Set to false to skip counting; meta.total is then null.', flag),
    parameter('mine', 'For administrators: set to true to list only what they are a member of.', flag),
    parameter('admin', 'Accepted without effect.', flag),
  ];
}

export const PAGE_PARAMETERS = ['sort', 'fields', 'view', 'limit', 'offset', 'cursor', 'count'];

/** The parameters of a definition without pages, as an operation declares them. */
export function filterParameters(
  definition: ListDefinition,
): Record<string, Pick<Parameter, 'description' | 'schema'> & Pick<Filter, 'kinds' | 'combines'>> {
  const meant = listParameters(definition).filter(({ name }) => !PAGE_PARAMETERS.includes(name));
  return Object.fromEntries(
    meant.map(({ name, description, schema }) => [
      name,
      { description, schema, kinds: definition.filters[name]?.kinds, combines: definition.filters[name]?.combines },
    ]),
  );
}
