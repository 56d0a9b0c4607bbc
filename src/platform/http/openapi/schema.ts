/** The parts of a JSON schema that this document uses, changed step by step. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  /** Set by Nest if there is no `type` that could include null. */
  nullable?: boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  title?: string;
  [extension: `x-${string}`]: unknown;
}

export type Schemas = Record<string, Schema>;

/** A named example; the examples of errors are components, because generators warn about inline ones. */
export interface Example {
  summary?: string;
  value: unknown;
}

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example | { $ref: string }>;
}

export interface ResponseDocument {
  $ref?: string;
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

export interface ParameterDocument {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema: Schema;
}

export interface OperationDocument {
  operationId: string;
  summary: string;
  description?: string;
  security?: object[];
  parameters?: ParameterDocument[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, ResponseDocument>;
  /** Whether it takes `dry_run=true`; removed when its parameter has been added. */
  'x-dry-run'?: boolean;
  /** Whether the response is a file to store; removed when its headers have been added. */
  'x-file'?: boolean;
  /** The media types that can be requested instead of JSON. */
  'x-also-as'?: readonly string[];
}

/** What an operation is about: `tasks_dependencies` of `tasks_dependencies_get`. Its id ends in a verb. */
export const aboutOf = (operationId: string): string => operationId.slice(0, operationId.lastIndexOf('_'));

/** The unfinished document. */
export interface DocumentDraft {
  paths: Record<string, Record<string, OperationDocument>>;
  security?: object[];
  components: {
    schemas: Schemas;
    responses: Record<string, ResponseDocument>;
    examples: Record<string, Example>;
    headers: Record<string, object>;
    parameters: Record<string, ParameterDocument>;
  };
}

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The name of the referenced component. */
export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The schema, or the referenced one. */
export const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : resolved(schemas[nameOfRef(schema.$ref)], schemas);

/** `tasks_list` and `dod-policy` as component names: `TasksList`, `DodPolicy`. */
export const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());

/** Every operation of the document. */
export function* operationsIn(
  document: DocumentDraft,
): Generator<{ path: string; method: string; operation: OperationDocument }> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) yield { path, method, operation };
  }
}
