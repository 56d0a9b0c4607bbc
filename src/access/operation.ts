import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { RefusalCode } from '../common/errors.js';
import { KINDS, type Kind } from '../common/kinds.js';
import { rankOf } from '../common/roles.js';
import type { JsonSchema, View } from '../platform/database/view.js';
import { enveloped, failureSchema, listed, viewSchema } from '../platform/http/schemas.js';
import { STATUS } from '../platform/http/status.js';
import type { ListDefinition } from '../platform/listing/definition.js';
import { listParameters } from '../platform/listing/parameters.js';
import { permissionOf, type OperationId } from './permissions.js';

export const OPERATION = 'worksmith:operation';
/** Whether the operation is a list, and takes the parameters that all lists take. */
export const IS_LIST = 'worksmith:list';

/** What the documents say of an operation. */
export interface Documented {
  summary: string;
  description?: string;
  /** 201 for creations; 200 otherwise. */
  status?: 200 | 201;
  body?: Type;
  /** A body may be left out. */
  bodyOptional?: boolean;
  /** What `data` is: a representation, or the schema of a plain object. */
  answer?: View | JsonSchema;
  /** The whole answer, where it has no envelope: a document to be kept. */
  document?: JsonSchema;
  list?: ListDefinition;
  /** What `data` may be instead of the list. */
  orAnswer?: JsonSchema;
  /** Parameters beside those of the list, by name. */
  query?: Record<string, { description: string; schema: JsonSchema }>;
  /** The kinds that the path parameters name, in order of the path; the first is `id`. */
  path?: Record<string, Kind>;
  /** Refusals beyond those that follow from the shape of the route. */
  refuses?: readonly RefusalCode[];
}

/** What every operation can answer with, whatever it does. */
const ALWAYS: readonly RefusalCode[] = ['rate_limited', 'internal_error', 'unavailable'];
const WITH_BODY: readonly RefusalCode[] = ['invalid_input', 'payload_too_large', 'unsupported_media_type'];

/** Binds a handler to its row in the permission table, and documents it. A handler without it cannot be called. */
export function Operation(operation: OperationId, documented: Documented): MethodDecorator {
  const { summary, description, status = 200, body, list, query = {}, path = {} } = documented;
  const { door, role, note } = permissionOf(operation);
  const needed = [role && `role ${role}`, door === 'administrator' && 'an administrator', note]
    .filter(Boolean)
    .join('; ');
  const needs = door === 'public' ? 'Nobody needs to be signed in.' : `Needs: ${needed || 'anyone signed in'}.`;
  return applyDecorators(
    SetMetadata(OPERATION, operation),
    SetMetadata(IS_LIST, list !== undefined),
    HttpCode(status),
    ApiOperation({
      operationId: operation,
      summary,
      description: [description, needs].filter(Boolean).join('\n\n'),
      ...({ 'x-required': needed || door } as object),
    }),
    ...(door === 'public' ? [] : [ApiSecurity('bearer')]),
    ...(body === undefined ? [] : [ApiBody({ type: body, required: documented.bodyOptional !== true })]),
    ...Object.entries(path).map(([name, kind]) =>
      ApiParam({ name, schema: { type: 'string', examples: [`${KINDS[kind]}_${'0'.repeat(32)}`] } }),
    ),
    ...(list === undefined ? [] : listParameters(list)).map((parameter) => ApiQuery(parameter as never)),
    ...Object.entries(query).map(([name, said]) => ApiQuery({ name, required: false, ...said })),
    ApiResponse({ status, description: summary, schema: answerSchema(documented) }),
    ...refusals(operation, documented),
  );
}

function answerSchema({ answer, document, list, orAnswer }: Documented): JsonSchema {
  if (document !== undefined) return document;
  if (list !== undefined) {
    const page = listed(viewSchema(list.view));
    return orAnswer === undefined ? page : { anyOf: [page, enveloped(orAnswer)] };
  }
  return enveloped(answer === undefined ? { type: 'object' } : schemaOfAnswer(answer));
}

const schemaOfAnswer = (answer: View | JsonSchema): JsonSchema =>
  'fields' in answer && 'alias' in answer ? viewSchema(answer as View) : answer;

function refusals(operation: OperationId, documented: Documented): MethodDecorator[] {
  const { body, list, query, path, refuses = [] } = documented;
  const { door, role } = permissionOf(operation);
  const codes = new Set<RefusalCode>([...refuses, ...ALWAYS]);
  if (door !== 'public') codes.add('unauthorized');
  // Whoever sees a thing has at least the lowest role there.
  const needsMore = role !== undefined && rankOf(role) > 1;
  if (door === 'administrator' || needsMore || list !== undefined) codes.add('forbidden');
  if (body !== undefined) for (const code of WITH_BODY) codes.add(code);
  if (list !== undefined || query !== undefined) codes.add('invalid_input');
  if (path !== undefined) codes.add('not_found');
  if (documented.status === 201 && door !== 'public') codes.add('velocity_limit');
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  return [...byStatus].map(([status, those]) =>
    ApiResponse({ status, description: those.join(', '), schema: failureSchema() }),
  );
}
