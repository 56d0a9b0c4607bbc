import { schemaOf, type JsonSchema, type View } from '../../database/views/view.js';

const schemasByName = new Map<string, JsonSchema>();

/** Adds a schema to the document's components, once, and returns a reference to it. */
export function component(name: string, schema: JsonSchema): JsonSchema {
  const existing = schemasByName.get(name);
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas have the name ${name}`);
  }
  schemasByName.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
}

const webhookPayloads = new Map<string, JsonSchema>();

/** Adds a request that the service sends to webhooks to the document, by the types of its events. */
export function describeWebhook(types: string, payload: JsonSchema): void {
  webhookPayloads.set(types, payload);
}

/** The requests that the service sends. */
export const webhooks = (): Record<string, object> =>
  Object.fromEntries(
    [...webhookPayloads].map(([types, schema]) => [
      types,
      {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '2XX': { description: 'Received.' } },
        },
      },
    ]),
  );

/** The reference to the schema of a representation. */
export const viewSchema = (view: View): JsonSchema => component(view.name, schemaOf(view));

/** A representation with additional properties, some of them optional, under its own name. */
export function extendedSchema(
  name: string,
  view: View,
  more: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  const schema = schemaOf(view);
  const properties = { ...(schema.properties as Record<string, JsonSchema>), ...more };
  return component(name, exactly(properties, optional));
}

/** Every schema that routes reference. */
export const components = (): Record<string, JsonSchema> => Object.fromEntries(schemasByName);

/** An object with exactly these properties, all required except the optional ones. */
export const exactly = (
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

/** The response to DELETE. */
export interface Deleted {
  id: string;
  deleted: true;
}

export const DELETED = component(
  'Deleted',
  exactly({
    id: { type: 'string', description: 'The id of the deleted entity.' },
    deleted: { type: 'boolean', const: true },
  }),
);

export const enveloped = (data: JsonSchema): JsonSchema => exactly({ data });

const PAGE_META = exactly(
  {
    total: {
      type: ['integer', 'null'],
      description:
        'The number of matching entities that you can see; null with count=false, for searches of one or two ' +
        'characters in a list, and where GET /search finds more than it ranks.',
    },
    limit: { type: 'integer', description: 'The maximum number of items on the page.' },
    offset: { type: 'integer', description: 'The number of skipped items.' },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Send this as cursor to read the next page; null on the last page.',
    },
  },
  {
    total_is: {
      type: 'string',
      const: 'at_least',
      description:
        'Present only if more entities match than total says: a search counts at most 10,000 matches, and ranks the ' +
        'newest 5,000 of them with sort=relevance.',
    },
  },
);

export const listed = (item: JsonSchema): JsonSchema =>
  exactly({ data: { type: 'array', items: item }, meta: component('PageMeta', PAGE_META) });
