import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '../common/errors.js';
import { KINDS, type Kind } from '../common/kinds.js';
import type { JsonSchema, View } from '../platform/database/view.js';
import { exampleId } from '../platform/http/document/examples.js';
import { MayCreate } from '../platform/http/route-metadata.js';
import { LIST_FORMATS } from '../platform/http/list-format.js';
import { enveloped, listed, viewSchema } from '../platform/http/schemas.js';
import { fieldsParameter } from '../platform/http/selected-fields.js';
import { STATUS } from '../platform/http/status.js';
import type { ListDefinition } from '../platform/listing/definition.js';
import { listParameters } from '../platform/listing/parameters.js';
import { accessText, usualDescription } from './operation-text.js';
import { permissionOf, type OperationId } from './permissions.js';
import { scopeOf } from './scopes.js';

export const OPERATION = 'worksmith:operation';
/** The names of the query parameters of an operation; lists define theirs separately. */
export const QUERY_NAMES = 'worksmith:query-names';

/** The documentation of an operation. */
export interface Documented {
  summary: string;
  description?: string;
  /** 201 for creations; 200 otherwise. */
  status?: 200 | 201 | 202;
  body?: Type;
  /** A body may be left out. */
  bodyOptional?: boolean;
  /** What `data` is: a representation, or the schema of a plain object. */
  answer?: View | JsonSchema;
  /** The whole answer of an operation without an envelope: a document to be stored. */
  document?: JsonSchema;
  /** The media types besides JSON that the client can request. */
  otherTypes?: readonly string[];
  list?: ListDefinition;
  /** The media type of an answer that is text other than JSON. */
  produces?: string;
  /**
   * The schema of `data` if a parameter requests another answer than the list. Generators would need a union for it, so
   * the document has it as an extension and describes the parameter in words.
   */
  orAnswer?: JsonSchema;
  /** The answer has an ETag although it is neither a list nor an entity with a revision (a `Tagged` one). */
  tagged?: true;
  /** Parameters besides those of the list, by name. */
  query?: Record<string, { description: string; schema: JsonSchema; required?: boolean }>;
  /** The kinds that the path parameters name, in order of the path; the first is `id`. */
  path?: Record<string, Kind>;
  /** Path parameters that are words instead of ids. */
  words?: Record<string, { description: string; schema: JsonSchema }>;
  /** Creates the entity if it does not exist (201), otherwise changes it. */
  mayCreate?: true;
  /** Refusals beyond those that follow from the shape of the route. */
  refuses?: readonly ErrorCode[];
}

/** The errors that every operation can answer with. */
const ALWAYS: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'unavailable'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_input', 'payload_too_large', 'unsupported_media_type'];

/** Binds a handler to its row in the permission table, and documents it. A handler without it cannot be called. */
export function Operation(operation: OperationId, documented: Documented): MethodDecorator {
  const { summary, description, status = 200, body, list, query, path = {}, words = {}, orAnswer } = documented;
  const read = viewReadBy(operation, documented);
  const names = [...Object.keys(query ?? {}), ...(read === undefined ? [] : ['fields'])];
  const { access, role, note } = permissionOf(operation);
  const needed = [role && `role ${role}`, access === 'admin' && 'an administrator', note].filter(Boolean).join('; ');
  return applyDecorators(
    SetMetadata(OPERATION, operation),
    SetMetadata(QUERY_NAMES, list === undefined ? names : undefined),
    HttpCode(status),
    ApiOperation({
      operationId: operation,
      summary,
      description: `${description ?? usualDescription(summary)}\n\n${accessText(operation)}`,
      ...({
        'x-required': needed || access,
        'x-scope': scopeOf(operation),
        ...(orAnswer && { 'x-or-answer': enveloped(orAnswer) }),
      } as object),
    }),
    ...(access === 'public' ? [] : [ApiSecurity('bearer')]),
    ...(body === undefined ? [] : [ApiBody({ type: body, required: documented.bodyOptional !== true })]),
    ...Object.entries(path).map(([name, kind]) =>
      ApiParam({
        name,
        description: `The id of the ${kind.replaceAll('_', ' ').replace(/^dod\b/, 'DoD')}.`,
        schema: { type: 'string', pattern: `^${KINDS[kind]}_[0-9a-f]{32}$`, examples: [exampleId(KINDS[kind])] },
      }),
    ),
    ...Object.entries(words).map(([name, said]) => ApiParam({ name, ...said })),
    ...(list === undefined ? [] : listParameters(list)).map((parameter) => ApiQuery(parameter as never)),
    ...(read === undefined ? [] : [ApiQuery(fieldsParameter(read))]),
    ...Object.entries(query ?? {}).map(([name, said]) => ApiQuery({ name, required: false, ...said })),
    ApiResponse({ status, description: summary, ...answerOf(documented) }),
    ...(documented.mayCreate === true
      ? [MayCreate(true), ApiResponse({ status: 201, description: 'It has been created.', ...answerOf(documented) })]
      : []),
    ...(isConditional(documented, read) ? [ApiResponse({ status: 304, description: UNCHANGED })] : []),
    ...refusals(operation, documented),
  );
}

const UNCHANGED = 'Nothing has changed since the answer whose ETag you sent.';

const isConditional = ({ list, tagged }: Documented, read: View | undefined): boolean =>
  tagged === true || list !== undefined || (read !== undefined && 'revision' in read.fields);

type Content = Record<string, { schema: JsonSchema }>;

const TEXT = { schema: { type: 'string' } } as const;

function answerOf({ produces, otherTypes, ...documented }: Documented): { schema: JsonSchema } | { content: Content } {
  if (produces !== undefined) return { content: { [produces]: TEXT } };
  const schema = answerSchema(documented);
  const others = documented.list === undefined ? otherTypes : LIST_FORMATS;
  if (others === undefined) return { schema };
  return { content: { 'application/json': { schema }, ...Object.fromEntries(others.map((type) => [type, TEXT])) } };
}

function answerSchema({ answer, document, list }: Documented): JsonSchema {
  if (document !== undefined) return document;
  if (list !== undefined) {
    return listed(viewSchema(list.view));
  }
  return enveloped(answer === undefined ? { type: 'object' } : schemaOfAnswer(answer));
}

const schemaOfAnswer = (answer: View | JsonSchema): JsonSchema => (isView(answer) ? viewSchema(answer) : answer);

const isView = (answer: View | JsonSchema): answer is View => 'fields' in answer && 'alias' in answer;

/** The view of an operation that reads one resource (`tasks_get`): its handler takes `fields` by {@link Fields}. */
const viewReadBy = (operation: OperationId, { answer }: Documented): View | undefined =>
  operation.endsWith('_get') && answer !== undefined && isView(answer) ? answer : undefined;

function refusals(operation: OperationId, documented: Documented): MethodDecorator[] {
  const { body, path, refuses = [] } = documented;
  const codes = new Set<ErrorCode>([...refuses, ...ALWAYS]);
  // Any caller can use a token whose scopes do not include the operation.
  if (permissionOf(operation).access !== 'public') codes.add('unauthorized').add('forbidden');
  if (codes.has('archived')) codes.add('in_progress');
  if (body !== undefined) for (const code of WITH_BODY) codes.add(code);
  // Unknown query parameters are refused everywhere.
  codes.add('invalid_input');
  if (path !== undefined) codes.add('not_found');
  if ((documented.status === 201 || documented.mayCreate === true) && codes.has('unauthorized'))
    codes.add('velocity_limit');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  // The document derives sentences, schemas and examples from the codes (platform/http/document/failures.ts).
  return [...byStatus].map(([status, those]) => ApiResponse({ status, description: those.join(', ') }));
}
