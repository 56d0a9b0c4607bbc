import type { JsonSchema } from '../database/view.js';
import { fieldsParameter } from '../http/selected-fields.js';
import { ARCHIVED_VALUES, type ListDefinition, type Search } from './definition.js';

interface Parameter {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
  /** How an array is written: with `explode: false`, its items are separated by commas. */
  style?: 'form';
  explode?: boolean;
}

/** What a cursor looks like; its content is opaque to clients. */
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
  'true lists only what is in archived endeavours and organizations, any lists that as well; otherwise it is left out.',
  { type: 'string', enum: [...ARCHIVED_VALUES], default: 'false' },
);

const SHORT = 'One or two characters find words that begin with them, and meta.total is null.';

const searchOf = ({ relevance }: Search): string =>
  relevance === undefined
    ? `Text to look for. ${SHORT}`
    : `Text to look for. ${SHORT} Longer ones: words (all of them), "a phrase", -without, or; a part of the title; or ` +
      'an id. With sort=relevance any of the words will do, best first; of more than 5,000 that match, the newest are ranked.';

/** Several keys are taken where they order the rows of one endeavour or another. */
function sortParameter(definition: ListDefinition): Parameter {
  const names = Object.keys(definition.sorts).flatMap((name) => [name, `-${name}`]);
  if (definition.search?.relevance !== undefined) names.push('relevance');
  const usual = definition.defaultSort ?? '-created_at';
  if (!takesSeveralKeys(definition)) {
    return parameter('sort', 'The order; - for descending.', { type: 'string', enum: names, default: usual });
  }
  const said = 'The order; - for descending. With endeavour_id two or three keys, separated by commas.';
  const schema = { type: 'array', items: { type: 'string', enum: names }, minItems: 1, maxItems: 3, default: [usual] };
  return { ...parameter('sort', said, schema), style: 'form', explode: false };
}

export const takesSeveralKeys = ({ filters }: ListDefinition): boolean => 'endeavour_id' in filters;

/** What the documents say of a list's parameters: the common ones and those that the area declares. */
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
    parameter('limit', 'How many at most: 1 to 200; a larger one counts as 200, and meta.limit says so.', {
      type: 'integer',
      minimum: 1,
      default: 50,
    }),
    parameter('offset', 'How many to skip; beyond 100,000 use cursor.', {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
    }),
    parameter('cursor', 'The `meta.next_cursor` of the page before; not together with `offset`.', CURSOR),
    parameter('count', 'false leaves meta.total null, which is cheaper.', flag),
    parameter('mine', 'true shows administrators only what they are members of.', flag),
    parameter('admin', 'Accepted, and changes nothing.', flag),
  ];
}

export const OF_PAGES = ['sort', 'fields', 'limit', 'offset', 'cursor', 'count'];

/** The parameters of a definition without pages, as an operation declares them. */
export function filterParameters(
  definition: ListDefinition,
): Record<string, Pick<Parameter, 'description' | 'schema'>> {
  const meant = listParameters(definition).filter(({ name }) => !OF_PAGES.includes(name));
  return Object.fromEntries(meant.map(({ name, description, schema }) => [name, { description, schema }]));
}
