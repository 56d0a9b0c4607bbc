import type { OpenAPIObject } from '@nestjs/swagger';
import type { JsonSchema } from '../database/view.js';
import { failureSchema } from './schemas.js';

interface Documented {
  security?: unknown[];
  parameters?: unknown[];
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: JsonSchema }>; headers?: object }
  >;
}

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const KEY = header(
  'Idempotency-Key',
  'Send the same key again to get the first answer again instead of a second effect (24 hours).',
);
const IF_MATCH = header('If-Match', 'The ETag or "<revision>" that you saw; 412 where it was changed since.');
const IF_NONE_MATCH = header('If-None-Match', 'The ETag that you have; 304 where nothing changed.');

/** Adds what holds for whole groups of operations: retries by key, bodies, conditional reads and conditional writes. */
export function describeHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Documented>)) {
      if (isRepeatable(method, operation)) describeKey(operation);
      if (method !== 'get') describeBody(operation);
      if (operation.responses['412'] !== undefined) operation.parameters = [...(operation.parameters ?? []), IF_MATCH];
      if (method === 'get' && path.endsWith('}') && isRepresentation(operation)) describeConditionalRead(operation);
    }
  }
  return document;
}

const isRepeatable = (method: string, operation: Documented): boolean =>
  ['post', 'patch'].includes(method) && operation.security !== undefined;

const isRepresentation = ({ responses }: Documented): boolean =>
  JSON.stringify(responses['200']?.content ?? {}).includes('"$ref"');

function describeKey(operation: Documented): void {
  operation.parameters = [...(operation.parameters ?? []), KEY];
  refuse(operation, '404', 'not_found, for a repetition of what one may no longer see');
  refuse(operation, '409', 'request_in_progress');
  refuse(operation, '400', 'invalid_input');
  refuse(operation, '422', 'idempotency_key_reused');
}

/** A body is read before anybody looks whether it is needed. */
function describeBody(operation: Documented): void {
  refuse(operation, '400', 'invalid_input');
  refuse(operation, '413', 'payload_too_large');
  refuse(operation, '415', 'unsupported_media_type');
}

function describeConditionalRead(operation: Documented): void {
  operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH];
  operation.responses['304'] = { description: 'You have it already.' };
}

function refuse({ responses }: Documented, status: string, description: string): void {
  responses[status] ??= { description, content: { 'application/json': { schema: failureSchema() } } };
}
