import type { ErrorCode } from '../../../common/errors.js';
import { CSV_TYPE } from '../responses/csv.js';
import { ENTITY_TAGS, MAX_TAGS } from '../responses/etag.js';
import { RESPONSE_HEADERS, type ResponseHeader } from '../responses/headers.js';
import { SECURITY_HEADERS } from '../server/security-headers.js';
import { STATUS } from '../responses/status.js';
import {
  operationsIn,
  type DocumentDraft,
  type OperationDocument,
  type ParameterDocument,
  type ResponseDocument,
  type Schema,
} from './schema.js';

const header = (description: string, example: string): object => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The headers that a client acts on; `info` names those of every response. */
const HEADERS: Record<string, object> = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).map(([name, { description, example }]) => [name, header(description, example)]),
);

/** Headers of every response, which the description of the document names once. */
export const UNLISTED_HEADERS: readonly string[] = [
  ...Object.entries<ResponseHeader>(RESPONSE_HEADERS).flatMap(([name, { sent }]) => (sent === 'always' ? [name] : [])),
  'X-Accel-Buffering',
  ...Object.keys(SECURITY_HEADERS)
    .map((name) => name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase()))
    .filter((name) => !Object.hasOwn(RESPONSE_HEADERS, name)),
];

/** The parameter of all operations that support a dry run, besides the request headers. */
const DRY_RUN: ParameterDocument = {
  name: 'dry_run',
  in: 'query',
  required: false,
  description:
    'Set to true to try the request: everything is checked and done, the response says what would have happened ' +
    '(with the header `Dry-Run: true`, without `Location` and `ETag`), and all of it is rolled back.',
  schema: { type: 'boolean' },
};

const parameter = (name: string, description: string, schema: Schema, example?: string): ParameterDocument => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  ...(example !== undefined && { example }),
});

/** The parameters that many operations share. */
const PARAMETERS = {
  DryRun: DRY_RUN,
  // Without an example: an example key pasted into two requests is rejected.
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'Makes the request safe to retry: for 24 hours, a request with the same key returns the first response ' +
      'instead of being executed again. Use a new key, such as a random UUID, for each new request.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  ),
  IfMatch: parameter(
    'If-Match',
    'The `ETag` or the quoted revision that you last read, such as `"3"`, or `*` for any. The response is 412 if the ' +
      'entity has changed since.',
    { type: 'string', maxLength: MAX_TAGS, pattern: ENTITY_TAGS.source },
    '*',
  ),
  IfAbsent: parameter(
    'If-None-Match',
    'With `*`, the entity is only created: the response is 412 if it exists. With an `ETag`, 412 if it has that revision.',
    { type: 'string', maxLength: MAX_TAGS },
    '*',
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    'The `ETag` of your copy. The response is 304 if nothing has changed.',
    { type: 'string' },
    '"3-QmFzZTY0SGFzaA_x"',
  ),
};

/** Documents idempotency keys, errors of bodies, and conditional reads and writes. */
export function describeHeaders(document: DocumentDraft): void {
  document.components.headers = {};
  document.components.parameters = PARAMETERS;
  for (const { method, operation } of operationsIn(document)) {
    if (['post', 'patch'].includes(method) && operation.security !== undefined) describeKey(operation);
    // The body of every write is read, even if the operation needs none.
    if (method !== 'get') addErrors(operation, 'invalid_input', 'payload_too_large', 'unsupported_media_type');
    if (operation['x-dry-run'] === true) addParameter(operation, 'DryRun');
    // A response for several requests has the preconditions of each in its body.
    if (operation.responses['412'] !== undefined && operation.responses['207'] === undefined)
      addParameter(operation, 'IfMatch');
    if (operation.responses['412'] !== undefined && method === 'put') addParameter(operation, 'IfAbsent');
    if (operation.responses['304'] !== undefined) addParameter(operation, 'IfNoneMatch');
  }
}

function describeKey(operation: OperationDocument): void {
  addParameter(operation, 'IdempotencyKey');
  addErrors(operation, 'not_found', 'request_in_progress', 'idempotency_key_reused');
  const conflict = operation.responses['409'];
  if (conflict.description !== 'request_in_progress') conflict.description += ', request_in_progress';
}

/** Adds the headers to every response; called when all responses exist. */
export function addHeaders(document: DocumentDraft): void {
  for (const [name, response] of Object.entries(document.components.responses)) {
    setHeaders(document, response, headersOf('GET', statusOf(document, name)));
  }
  for (const { method, operation } of operationsIn(document)) {
    const isPaged = operation.parameters?.some(({ name }) => name === 'cursor') === true;
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.$ref !== undefined) continue;
      const names = headersOf(method.toUpperCase(), Number(status)).filter(
        (name) => (name !== 'Link' || isPaged) && (name !== 'Dry-Run' || operation['x-dry-run'] === true),
      );
      if (isFile(operation, status)) names.push('Content-Disposition');
      setHeaders(document, response, names);
    }
    delete operation['x-dry-run'];
    delete operation['x-file'];
  }
}

/** Whether the response can be a file to store: CSV, or an export. */
const isFile = (operation: OperationDocument, status: string): boolean =>
  status === '200' && (operation['x-also-as']?.includes(CSV_TYPE) === true || operation['x-file'] === true);

/** The status for which operations use a shared response. */
function statusOf(document: DocumentDraft, name: string): number {
  for (const { operation } of operationsIn(document)) {
    const entry = Object.entries(operation.responses).find(([, { $ref }]) => $ref?.endsWith(`/${name}`));
    if (entry !== undefined) return Number(entry[0]);
  }
  throw new Error(`no operation uses the response ${name}`);
}

/** The headers of responses with that status to requests with that method. */
const headersOf = (method: string, status: number): string[] =>
  Object.entries<ResponseHeader>(RESPONSE_HEADERS)
    .filter(
      ([, { sent }]) => sent !== 'always' && sent.statuses.includes(status) && (sent.methods?.includes(method) ?? true),
    )
    .map(([name]) => name);

function setHeaders(document: DocumentDraft, response: ResponseDocument, names: string[]): void {
  if (names.length === 0) return;
  for (const name of names) document.components.headers[name] = HEADERS[name];
  response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function addParameter(operation: OperationDocument, name: keyof typeof PARAMETERS): void {
  const reference = { $ref: `#/components/parameters/${name}` } as ParameterDocument;
  operation.parameters = [...(operation.parameters ?? []), reference];
}

/** Documents errors that a header or body can cause, unless the operation has one with the same status. */
function addErrors({ responses }: OperationDocument, ...codes: ErrorCode[]): void {
  for (const code of codes) responses[STATUS[code]] ??= { description: code };
}
