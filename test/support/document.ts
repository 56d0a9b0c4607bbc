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

/** Replaces references to shared parameters and responses by their content. Bodies still refer to schemas. */
export function inlineReferences(document: OpenAPIObject): OpenAPIObject {
  const whole = <T extends Reference>(one: T): T =>
    one.$ref === undefined ? one : (resolveReference(document, one.$ref) as T);
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

/** Resolves a reference such as `#/components/schemas/Task`. */
export const resolveReference = (document: OpenAPIObject, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce((place: unknown, name) => (place as Record<string, unknown>)[name], document);

/** Forbids undocumented properties. Clients must accept them, because a later release may add some; tests must not. */
export function withoutExtraProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExtraProperties);
  if (typeof schema !== 'object' || schema === null) return schema;
  const isObject = 'properties' in schema && 'type' in schema && schema.type === 'object';
  const more = isObject && !('additionalProperties' in schema) ? { additionalProperties: false } : {};
  return {
    ...Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutExtraProperties(value)])),
    ...more,
  };
}

/** Freezes the value deeply, so that a test that changes it throws instead of affecting later tests. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
