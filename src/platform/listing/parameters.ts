import type { JsonSchema } from '../database/view.js';
import type { ListDefinition, Search } from './definition.js';

interface Parameter {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
}

const switches = { type: 'string', enum: ['true', 'false', '1', '0', ''] };

const parameter = (name: string, description: string, schema: JsonSchema): Parameter => ({
  name,
  required: false,
  description,
  schema,
});

const searchOf = ({ relevance }: Search): string =>
  relevance === undefined
    ? 'Text to look for, 2 to 200 characters.'
    : 'Text to look for, 2 to 200 characters: words (all of them), "a phrase", -without, or; a part of the title; or ' +
      'an id. With sort=relevance any of the words will do, best first; of more than 5,000 that match, the newest are ranked.';

/** What the documents say of a list's parameters: the common ones and those that the area declares. */
export function listParameters(definition: ListDefinition): Parameter[] {
  const sorts = Object.keys(definition.sorts).flatMap((name) => [name, `-${name}`]);
  if (definition.search?.relevance !== undefined) sorts.push('relevance');
  return [
    ...Object.entries(definition.filters).map(([name, filter]) => parameter(name, filter.description, filter.schema)),
    ...(definition.search === undefined
      ? []
      : [
          parameter('search', searchOf(definition.search), {
            type: 'string',
            minLength: 2,
            maxLength: 200,
          }),
        ]),
    parameter('sort', 'The order; - for descending.', {
      type: 'string',
      enum: sorts,
      default: definition.defaultSort ?? '-created_at',
    }),
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
    parameter('cursor', 'Goes on where meta.next_cursor left off.', { type: 'string' }),
    parameter('count', 'false leaves meta.total null, which is cheaper.', switches),
    parameter('mine', 'true shows administrators only what they are members of.', switches),
    parameter('admin', 'Accepted from administrators; changes nothing.', switches),
  ];
}
