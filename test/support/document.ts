import type { OpenAPIObject } from '@nestjs/swagger';

interface Reference {
  $ref?: string;
}

interface Parameter extends Reference {
  schema: Reference & { items?: Reference };
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, Reference>;
}

/** The document with its shared parameters and responses where they are used; bodies and answers still refer to schemas. */
export function inlined(document: OpenAPIObject): OpenAPIObject {
  const whole = <T extends Reference>(one: T): T => (one.$ref === undefined ? one : (at(document, one.$ref) as T));
  const parameter = (one: Parameter): Parameter => {
    const { schema, ...rest } = whole(one);
    const itself = whole(schema);
    return { ...rest, schema: { ...itself, ...(itself.items && { items: whole(itself.items) }) } };
  };
  const operation = ({ parameters = [], responses, ...rest }: Operation): Operation => ({
    ...rest,
    parameters: parameters.map(parameter),
    responses: Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, whole(one)])),
  });
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const operations = Object.entries(methods as Record<string, Operation>);
    return [path, Object.fromEntries(operations.map(([method, one]) => [method, operation(one)]))];
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

/** What a reference such as `#/components/schemas/Task` points at. */
export const at = (document: OpenAPIObject, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce((place: unknown, name) => (place as Record<string, unknown>)[name], document);

/** Answers may have more properties in a later release; in this one they have only those of the document. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const isObject = 'properties' in schema && 'type' in schema && schema.type === 'object';
  const more = isObject && !('additionalProperties' in schema) ? { additionalProperties: false } : {};
  return { ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)])), ...more };
}

/** The same, which throws where a test would change what the next ones read. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
