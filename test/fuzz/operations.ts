import type { OpenAPIObject } from '@nestjs/swagger';

/** The part of JSON schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  example?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

/** An operation of the document, with its references resolved. */
export interface Operation {
  id: string;
  method: string;
  template: string;
  parameters: Parameter[];
  body: Schema | undefined;
}

interface Documented {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every operation of the document. */
export function operationsOf(document: OpenAPIObject): Operation[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods as Record<string, Documented>).map(([method, { operationId, parameters, requestBody }]) => ({
      id: operationId,
      method,
      template,
      parameters: parameters ?? [],
      body: requestBody && resolve(Object.values(requestBody.content)[0].schema, schemas),
    })),
  );
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (schema.$ref !== undefined) return resolve(schemas[schema.$ref.split('/').at(-1) ?? ''], schemas);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: resolve(items, schemas) }),
    ...(anyOf && { anyOf: anyOf.map((one) => resolve(one, schemas)) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, resolve(one, schemas)])),
    }),
  };
}
