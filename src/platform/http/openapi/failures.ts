import { STATUS } from '../responses/status.js';
import { documentedRefusalOf } from './refusals.js';
import {
  operationsIn,
  pascal,
  refTo,
  type DocumentDraft,
  type Example,
  type ResponseDocument,
  type Schema,
  type Schemas,
} from './schema.js';

const REQUEST_ID = '018f6b1a-2c3d-7e4f-8a5b-6c7d8e9f0a1b';

/** The names that generators use for the errors of a status. */
const TITLES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServer',
  503: 'ServiceUnavailable',
};

const text = (description: string): Schema => ({ type: 'string', description });

/**
 * Documents the errors: each status gets an envelope with an enum of its codes and the `details` of all of them. Before
 * this step, responses of 400 and above have only their codes, comma-separated in the description.
 */
export function describeFailures(document: DocumentDraft): void {
  const codes = Object.entries(STATUS);
  const documented = [...operationsIn(document)].flatMap(({ operation }) =>
    Object.keys(operation.responses).map(Number),
  );
  for (const status of new Set(documented.filter((code) => code >= 400))) {
    const codesOfStatus = codes.filter(([, codeStatus]) => codeStatus === status).map(([code]) => code);
    if (TITLES[status] === undefined) throw new Error(`errors of status ${status} have no title`);
    Object.assign(document.components.schemas, failureSchemas(TITLES[status], codesOfStatus));
    for (const code of codesOfStatus) document.components.examples[pascal(code)] = example(code);
  }
  document.components.schemas.ErrorCode = { type: 'string', enum: codes.map(([code]) => code) };
  document.components.schemas.Problem = PROBLEM;
  for (const { operation } of operationsIn(document)) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      operation.responses[status] = shared(document, Number(status), description.split(', '));
    }
  }
}

function failureSchemas(title: string, codes: string[]): Record<string, Schema> {
  const properties = mergedDetails(codes);
  const hasDetails = Object.keys(properties).length > 0;
  return {
    [`${title}Code`]: { type: 'string', enum: codes },
    ...(hasDetails && { [`${title}Details`]: { type: 'object', properties } }),
    [`${title}Error`]: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { description: 'A stable error code for programs.', ...refTo(`${title}Code`) },
        message: text('A message for people; its wording may change.'),
        request_id: text('The id of the request, as in `X-Request-Id`. Include it when you report a problem.'),
        ...(hasDetails && { details: { description: 'Details of the error.', ...refTo(`${title}Details`) } }),
      },
    },
    [`${title}Failure`]: {
      type: 'object',
      required: ['error'],
      properties: { error: { description: 'The error.', ...refTo(`${title}Error`) } },
    },
  };
}

/** The details of all codes; a property with different types gets a common wider type. */
function mergedDetails(codes: string[]): Record<string, Schema> {
  const merged: Record<string, Schema> = {};
  for (const [name, schema] of codes.flatMap((code) =>
    Object.entries((documentedRefusalOf(code).details ?? {}) as Schemas),
  )) {
    const other = merged[name];
    const isSame = other === undefined || JSON.stringify(other) === JSON.stringify(schema);
    merged[name] = isSame ? schema : { type: other.type, description: other.description ?? schema.description };
  }
  return merged;
}

const PROBLEM: Schema = {
  type: 'object',
  description: 'An error in the format of RFC 9457, for clients that accept `application/problem+json`.',
  example: {
    type: 'urn:worksmith:error:archived',
    title: 'archived',
    status: 409,
    detail: 'The endeavour is archived; it and its contents cannot be changed.',
    instance: '/api/v1/tasks',
    code: 'archived',
    request_id: REQUEST_ID,
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: text('Identifies the error code: `urn:worksmith:error:` followed by the code.'),
    title: text('The title of the error.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('A message for people; its wording may change.'),
    instance: text('The path of the request.'),
    code: { description: 'A stable error code for programs.', ...refTo('ErrorCode') },
    request_id: text('The id of the request, as in `X-Request-Id`.'),
    fields: { type: 'array', items: refTo('FieldError'), description: 'Every invalid field.' },
    details: { type: 'object', additionalProperties: true, description: 'Details of the error.' },
  },
};

/** The response for these codes, shared by operations with the same ones. */
function shared(document: DocumentDraft, status: number, unsorted: string[]): ResponseDocument {
  const codes = unsorted.toSorted();
  const name = codes.map(pascal).join('Or');
  document.components.responses[name] ??= failureResponse(status, codes);
  return { $ref: `#/components/responses/${name}` } as ResponseDocument;
}

function failureResponse(status: number, codes: string[]): ResponseDocument {
  const title = TITLES[status];
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${pascal(code)}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${documentedRefusalOf(code).meaning}`).join(' '),
    content: {
      'application/json': { schema: refTo(`${title}Failure`), examples: Object.fromEntries(examples) },
    },
  };
}

function example(code: string): Example {
  const { meaning, message, example: details } = documentedRefusalOf(code);
  return { summary: meaning, value: { error: { code, message, request_id: REQUEST_ID, ...(details && { details }) } } };
}
