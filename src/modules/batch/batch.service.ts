import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authentication/caller.js';
import { OperationRegistry } from '../../access/operations/operation-registry.js';
import { ApiError, invalidInput, type FieldError } from '../../common/errors.js';
import { inApi } from '../../platform/http/server/declared-routes.js';
import { JSON_TYPE } from '../../platform/http/responses/envelope.js';
import { printable } from '../../common/texts/text.js';
import { MAX_FIELD_ERRORS } from '../../platform/http/bodies/fields/body-reader.js';
import { confinement } from '../../platform/database/transactions/confinement.js';
import { SubRequests, type ParentRequest, type SubResponse } from '../../platform/context/sub-requests.js';
import { RawResponse } from '../../platform/http/responses/raw-response.js';
import type { RequestState } from '../../platform/http/requests/request.interceptor.js';
import { BatchResponses } from './batch-responses.js';
import type { BatchDto, BatchOperationDto } from './batch.dto.js';
import { referencesIn, resolveBody, resolvePath } from './references.js';

/** Headers of the batch that are forwarded to each of its requests. */
const FORWARDED_HEADERS = ['authorization', 'user-agent', 'accept-language', 'prefer'] as const;

type BatchRequest = FastifyRequest & RequestState;

/** Executes the requests of a batch in order. */
@Injectable()
export class BatchService {
  constructor(
    private readonly inner: SubRequests,
    private readonly registered: OperationRegistry,
  ) {}

  /** Executes all requests in the current transaction; the first error becomes the error of the batch. */
  async all(me: Caller, { operations }: BatchDto, request: BatchRequest): Promise<RawResponse> {
    this.check(operations, request);
    const enclosing = { caller: me, confinement: confinement(), isDryRun: request.isDryRun === true };
    const responses = new BatchResponses();
    for (const [index, operation] of operations.entries()) {
      const response = await this.send(operation, request, enclosing, responses);
      if (response.status >= 400) {
        request.isRefusalRecorded = true;
        throw batchErrorOf(response, { index, id: operation.id ?? null });
      }
      responses.add(operation.id, response);
    }
    return new RawResponse(responses.text, { 'content-type': JSON_TYPE });
  }

  /** Executes each request in its own transaction. */
  async each({ operations }: BatchDto, request: BatchRequest): Promise<RawResponse> {
    this.check(operations, request);
    const isDryRun = request.isDryRun === true;
    const key = isDryRun ? undefined : request.headers['idempotency-key'];
    const responses = new BatchResponses();
    for (const [index, operation] of operations.entries()) {
      // Idempotency keys of clients cannot contain a line break, so these keys are distinct from them.
      const idempotencyKey = key === undefined ? undefined : `${String(key)}\n${index}`;
      responses.add(operation.id, await this.send(operation, request, { idempotencyKey, isDryRun }, responses));
    }
    return new RawResponse(responses.text, { 'content-type': JSON_TYPE });
  }

  private async send(
    { method, path, body, if_match }: BatchOperationDto,
    request: BatchRequest,
    enclosing: ParentRequest,
    responses: BatchResponses,
  ): Promise<SubResponse> {
    const lookUp = responses.resolver();
    let url: string;
    let resolved: object | undefined;
    try {
      url = resolvePath(withPrefix(path), lookUp);
      resolved = resolveBody(body, lookUp) as object | undefined;
    } catch (error) {
      if (error instanceof ApiError) return responses.rejected(error, request.id);
      throw error;
    }
    const headers: Record<string, string> = { 'x-request-id': request.id };
    for (const name of FORWARDED_HEADERS) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    if (if_match !== undefined) headers['if-match'] = if_match;
    return this.inner.send({ method, url, headers, clientAddress: request.ip, body: resolved }, enclosing);
  }

  /** Reports all errors that can be found before the execution. */
  private check(operations: readonly BatchOperationDto[], { headers }: BatchRequest): void {
    const earlier = new Set<string>();
    const errors: FieldError[] = [];
    if (headers['if-match'] !== undefined) {
      errors.push(invalidValue('If-Match', 'cannot be sent with a batch; use if_match of its requests.'));
    }
    for (const [index, operation] of operations.entries()) {
      const at = `operations.${index}`;
      for (const error of this.errorsOf(operation, at, earlier)) {
        if (errors.push(error) === MAX_FIELD_ERRORS) throw invalidInput(errors);
      }
      const { id } = operation;
      if (id === undefined) continue;
      if (earlier.has(id)) errors.push(invalidValue(`${at}.id`, 'is the name of an earlier request.'));
      earlier.add(id);
    }
    if (errors.length > 0) throw invalidInput(errors);
  }

  private *errorsOf(
    { method, path, body }: BatchOperationDto,
    at: string,
    earlier: ReadonlySet<string>,
  ): Generator<FieldError> {
    const operation = this.registered.match(method, withPrefix(path).split('?')[0]);
    if (operation === undefined)
      yield invalidValue(`${at}.path`, `is not the path of an operation with the method ${method}.`);
    if (operation?.isBatchable === false)
      yield invalidValue(`${at}.path`, 'is the path of an operation that cannot be part of a batch.');
    const { ids, malformed } = referencesIn({ path, body });
    for (const malformedPath of malformed) {
      yield invalidValue(
        `${at}.${malformedPath}`,
        'begins with $ but is not a reference such as $a.id; write $$ for a dollar sign.',
      );
    }
    for (const id of ids) {
      if (earlier.has(id)) continue;
      yield invalidValue(at, `refers to ${printable(id)}, which is not the name of an earlier request.`);
    }
  }
}

const PREFIX = inApi('/');

/** The path of an operation with the prefix, which clients can omit in a batch. */
const withPrefix = (path: string): string => (path.startsWith(PREFIX) ? path : inApi(path));

const invalidValue = (field: string, message: string): FieldError => ({
  field,
  code: 'invalid_value',
  message: `${field} ${message}`,
});

/** Turns the error of a request into the error of the batch, which names the request. */
function batchErrorOf({ body, headers }: SubResponse, operation: { index: number; id: string | null }): ApiError {
  const { error } = JSON.parse(body) as {
    error: { code: ApiError['code']; message: string; details?: Record<string, unknown> };
  };
  return new ApiError(error.code, error.message, { ...error.details, operation }, headers.retryAfter);
}
