import type { OpenAPIObject } from '@nestjs/swagger';
import { NEAR_ENDEAVOUR } from '../../../src/access/operations/operation.js';
import { KINDS, type Kind } from '../../../src/common/kinds.js';

/** A field of a request body that contains an id. */
export interface IdField {
  operation: string;
  /** Its path as in error responses: `goals.0.id`. */
  field: string;
  kinds: Kind[];
}

interface Schema {
  $ref?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { in: string; name: string; description?: string }[];
}

const OF_ID = /\(\?:([a-z|]+)\)_\[0-9a-f\]\{32\}/;

const operationsOf = (document: OpenAPIObject): [path: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods as Record<string, Operation>).map((operation): [string, Operation] => [path, operation]),
  );

/** Excludes `filter`, which matches nothing by an unknown id, and `changes`, which are rejected task by task. */
const isReference = ([name]: [string, Schema]): boolean => !['filter', 'changes'].includes(name);

/** Every field of a request body whose schema is that of an id. */
export function idFieldsOf(document: OpenAPIObject): IdField[] {
  const schemas = document.components?.schemas as Record<string, Schema>;
  const walk = (schema: Schema, path: string[]): { field: string; kinds: Kind[] }[] => {
    if (schema.$ref !== undefined) return walk(schemas[schema.$ref.split('/').at(-1) ?? ''], path);
    const prefixes = OF_ID.exec(schema.pattern ?? '')?.[1].split('|');
    return [
      ...(prefixes === undefined ? [] : [{ field: path.join('.'), kinds: prefixes.map(kindOfPrefix) }]),
      ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => walk(part, path)),
      ...Object.entries(schema.properties ?? {})
        .filter(isReference)
        .flatMap(([name, property]) => walk(property, [...path, name])),
      ...(schema.items === undefined ? [] : walk(schema.items, [...path, '0'])),
    ];
  };
  return operationsOf(document).flatMap(([, { operationId, requestBody }]) => {
    const body = requestBody?.content['application/json'];
    const found = body === undefined ? [] : walk(body.schema, []);
    return found.map((each) => ({ operation: operationId, ...each }));
  });
}

/** Paths that take an id in the query but are not lists: feeds, daily counts, permission questions and imports. */
const NO_LISTS = ['/changes', '/changes/stream', '/activity/summary', '/auth/can', '/imports'].map(
  (path) => `/api/v1${path}`,
);

/** Not a parameter that only says which of several tasks or demands a key means. */
const isFilter = ({ name, description }: { name: string; description?: string }): boolean =>
  name.endsWith('_id') && description !== NEAR_ENDEAVOUR.description;

/** Every query parameter that filters a list by an id, with the path of the list. */
export const idFiltersOf = (document: OpenAPIObject): { path: string; name: string }[] =>
  operationsOf(document)
    .filter(([path]) => !path.includes('{') && !NO_LISTS.includes(path))
    .flatMap(([path, { parameters = [] }]) =>
      parameters.filter((one) => one.in === 'query' && isFilter(one)).map(({ name }) => ({ path, name })),
    );

function kindOfPrefix(prefix: string): Kind {
  const found = Object.entries(KINDS).find(([, known]) => known === prefix);
  if (found === undefined) throw new Error(`no kind has the prefix ${prefix}`);
  return found[0] as Kind;
}
