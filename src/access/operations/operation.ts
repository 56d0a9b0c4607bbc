import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '../../common/errors.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import { isKeyedKind } from '../../common/work-keys.js';
import type { JsonSchema, View } from '../../platform/database/views/view.js';
import { exampleId } from '../../platform/http/openapi/examples.js';
import { idOf, referenceTo } from '../../platform/http/bodies/fields/links.js';
import { CreatedIn, MayCreate } from '../../platform/http/server/route-metadata.js';
import { LIST_FORMATS } from '../../platform/http/responses/list-format.js';
import { enveloped, listed, viewSchema } from '../../platform/http/openapi/schemas.js';
import { fieldsParameter, viewParameter } from '../../platform/http/requests/selected-fields.js';
import { STATUS } from '../../platform/http/responses/status.js';
import type { Filter, ListDefinition } from '../../platform/listing/definition.js';
import { listParameters } from '../../platform/listing/parameters.js';
import { takesKeys } from '../references/keyed-values.js';
import { accessText, defaultDescription } from './operation-text.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';

export const OPERATION = 'worksmith:operation';
export const DECLARATION = 'worksmith:declaration';

/** What an operation takes and returns. */
export interface OperationOptions {
  summary: string;
  description?: string;
  /** The success status; 200 by default. */
  status?: 200 | 201 | 202;
  body?: Type;
  /** The schemas of bodies other than JSON, by media type, for operations that read them without a DTO. */
  bodies?: Record<string, JsonSchema>;
  /** The request can be sent without a body. */
  bodyOptional?: boolean;
  /**
   * The collection in which a created entity is read (`/webhooks/:id/deliveries`), if that is not the path of the
   * operation; null if it cannot be read.
   */
  createdIn?: string | null;
  /** The one resource that the operation reads; its handler takes `fields` and `view` with `Fields`. */
  resource?: View;
  /** The type of `data` in the response: a representation, or the schema of a plain object. */
  response?: View | JsonSchema;
  /** The schema of a response without an envelope. */
  document?: JsonSchema;
  /** The schema of a response without an envelope that is a file for the client to store. */
  file?: JsonSchema;
  /**
   * Media types that the client can request instead of JSON. The document has them in `x-also-as` and in text: several
   * types of one response become unions in generated code.
   */
  otherTypes?: readonly string[];
  list?: ListDefinition;
  /** The media type of a response that is text other than JSON. */
  produces?: string;
  /** The response is `Tagged`: it has an ETag although it is neither a list nor an entity with a revision. */
  tagged?: true;
  /**
   * Query parameters by name, in addition to the parameters of the list; `kinds` of the entities that they name by their
   * ids or keys.
   */
  query?: Record<
    string,
    { description: string; schema: JsonSchema; required?: boolean } & Pick<Filter, 'kinds' | 'combines'>
  >;
  /** The kinds of the entities whose ids are in the path, by parameter, in the order of the path; the first is `id`. */
  path?: Record<string, Kind>;
  /** Path parameters that are text instead of ids. */
  words?: Record<string, { description: string; schema: JsonSchema }>;
  /**
   * A standby may answer what the operation reads in snapshots and reports (`Database`); lists may read complete lists and
   * searches there without saying so.
   */
  readsStandby?: true;
  /** The operation creates the entity if it does not exist (201), and otherwise changes it. */
  mayCreate?: true;
  /** Error codes in addition to the ones that follow from the other options. */
  refuses?: readonly ErrorCode[];
}

/** Error codes of every operation. */
const ALWAYS: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'unavailable'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_input', 'payload_too_large', 'unsupported_media_type'];

/** Binds a handler to its row in the permission table, and documents it. Requests to other handlers are rejected. */
export function Operation(operation: OperationId, options: OperationOptions): MethodDecorator {
  const { summary, description, status = 200, body, list, query, path = {}, words = {}, resource, createdIn } = options;
  const { access } = permissionOf(operation);
  const others = (list === undefined ? options.otherTypes : LIST_FORMATS) ?? [];
  return applyDecorators(
    SetMetadata(OPERATION, operation),
    SetMetadata(DECLARATION, options),
    HttpCode(status),
    ApiOperation({
      operationId: operation,
      summary,
      description: `${description ?? defaultDescription(summary)}\n\n${accessText(operation)}`,
      ...({
        ...(others.length > 0 && { 'x-also-as': others }),
        ...(options.file && { 'x-file': true }),
        ...(options.bodies && { requestBody: requestBodyOf(options.bodies) }),
      } as object),
    }),
    ...(access === 'public' ? [] : [ApiSecurity('bearer')]),
    ...(body === undefined ? [] : [ApiBody({ type: body, required: options.bodyOptional !== true })]),
    ...Object.entries(path).map(([name, kind]) =>
      ApiParam({
        name,
        description: isKeyedKind(kind)
          ? `The id or the key of the ${kind}, such as SHOP-42.`
          : `The id of the ${kind.replaceAll('_', ' ').replace(/^dod\b/, 'DoD')}.`,
        schema: { ...referenceTo(kind), examples: [exampleId(KINDS[kind])] },
      }),
    ),
    ...Object.entries(words).map(([name, parameter]) => ApiParam({ name, ...parameter })),
    ...(list === undefined ? [] : listParameters(list)).map((parameter) => ApiQuery(parameter as never)),
    ...(resource === undefined ? [] : [ApiQuery(fieldsParameter(resource)), ApiQuery(viewParameter(resource))]),
    ...Object.entries(query ?? {}).map(([name, { kinds: _kinds, combines: _combines, ...parameter }]) =>
      ApiQuery({ name, required: false, ...parameter }),
    ),
    ...(decidesBetweenKeys(options) ? [ApiQuery({ name: 'endeavour_id', required: false, ...NEAR_ENDEAVOUR })] : []),
    ApiResponse({ status, description: SUCCESSES[status], ...contentOf(options) }),
    ...(options.mayCreate === true
      ? [MayCreate(true), ApiResponse({ status: 201, description: SUCCESSES[201], ...contentOf(options) })]
      : []),
    ...(createdIn === undefined ? [] : [CreatedIn(createdIn)]),
    ...(isConditional(options) ? [ApiResponse({ status: 304, description: UNCHANGED })] : []),
    ...errorResponses(operation, options),
  );
}

/** The parameter that decides between the meanings of a key. */
export const NEAR_ENDEAVOUR = {
  description: 'The endeavour in which keys of tasks and demands are looked up first, for keys with several meanings.',
  schema: idOf('endeavour'),
};

/** Whether `endeavour_id` in the query only decides between keys with several meanings. */
export const decidesBetweenKeys = (options: OperationOptions): boolean =>
  takesKeys(options) && ![options.query, options.list?.filters].some((named) => named && 'endeavour_id' in named);

const SUCCESSES: Record<number, string> = {
  200: 'The result.',
  201: 'It has been created.',
  207: 'The results, one for each request.',
};

const UNCHANGED = 'Nothing has changed since the response whose ETag you sent.';

const requestBodyOf = (bodies: Record<string, JsonSchema>): object => ({
  required: true,
  content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }])),
});

/** Whether a standby may answer the snapshots and reports of the operation. */
export const readsStandby = ({ list, readsStandby: isDeclared }: OperationOptions): boolean =>
  isDeclared === true || list !== undefined;

/** The names of the query parameters of an operation; undefined for lists, which define theirs separately. */
export const queryNamesOf = ({ query, list, resource }: OperationOptions): string[] | undefined =>
  list === undefined ? [...Object.keys(query ?? {}), ...(resource === undefined ? [] : ['fields', 'view'])] : undefined;

const isConditional = ({ list, tagged, resource }: OperationOptions): boolean =>
  tagged === true || list !== undefined || (resource !== undefined && 'revision' in resource.fields);

type Content = Record<string, { schema: JsonSchema }>;

const TEXT = { schema: { type: 'string' } } as const;

function contentOf(options: OperationOptions): { schema: JsonSchema } | { content: Content } {
  if (options.produces !== undefined) return { content: { [options.produces]: TEXT } };
  return { schema: responseSchema(options) };
}

function responseSchema({ resource, response = resource, file, document = file, list }: OperationOptions): JsonSchema {
  if (document !== undefined) return document;
  if (list !== undefined) {
    return listed(viewSchema(list.view));
  }
  return enveloped(response === undefined ? { type: 'object' } : responseSchemaOf(response));
}

const responseSchemaOf = (response: View | JsonSchema): JsonSchema =>
  isView(response) ? viewSchema(response) : response;

const isView = (response: View | JsonSchema): response is View => 'fields' in response && 'alias' in response;

function errorResponses(operation: OperationId, options: OperationOptions): MethodDecorator[] {
  const { body, path, refuses = [] } = options;
  const codes = new Set<ErrorCode>([...refuses, ...ALWAYS]);
  // A key can have several meanings.
  if (takesKeys(options)) codes.add('conflict');
  // Every authenticated operation rejects tokens whose scopes do not include it.
  if (permissionOf(operation).access !== 'public') codes.add('unauthorized').add('forbidden');
  if (codes.has('archived')) codes.add('in_progress');
  if (body !== undefined) for (const code of WITH_BODY) codes.add(code);
  // Every operation rejects unknown query parameters.
  codes.add('invalid_input');
  if (path !== undefined) codes.add('not_found');
  if ((options.status === 201 || options.mayCreate === true) && codes.has('unauthorized')) codes.add('velocity_limit');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  // The OpenAPI document derives descriptions, schemas and examples from the codes (platform/http/openapi/failures.ts).
  return [...byStatus].map(([status, group]) => ApiResponse({ status, description: group.join(', ') }));
}
