import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { ApiError, invalidInput, type FieldError } from '../../common/errors.js';
import { JSON_TYPE } from '../../platform/http/envelope.js';
import { printable } from '../../common/text.js';
import { MAX_FIELD_ERRORS } from '../../platform/http/fields/body-reader.js';
import { confinement } from '../../platform/database/confinement.js';
import { InnerRequests, type Enclosing, type InnerAnswer } from '../../platform/http/inner-requests.js';
import { RawResponse } from '../../platform/http/raw-response.js';
import type { RequestState } from '../../platform/http/request.interceptor.js';
import { BatchAnswers } from './batch-answers.js';
import { BatchRoutes } from './batch-routes.js';
import type { BatchDto, BatchOperationDto } from './batch.dto.js';
import { mentionsIn, resolveBody, resolvePath } from './references.js';

/** Headers of the batch that apply to each of its requests. */
const FORWARDED_HEADERS = ['authorization', 'user-agent', 'accept-language', 'prefer'] as const;

type BatchRequest = FastifyRequest & RequestState;

/** Executes the requests of a batch one after the other, each like a single request. */
@Injectable()
export class BatchService {
  constructor(
    private readonly inner: InnerRequests,
    private readonly routes: BatchRoutes,
  ) {}

  /** Executes all requests in the current transaction; the first error is the error of the batch. */
  async all(me: Caller, { operations }: BatchDto, request: BatchRequest): Promise<RawResponse> {
    this.check(operations, request);
    const enclosing = { caller: me, confinement: confinement(), isDryRun: request.isDryRun === true };
    const answers = new BatchAnswers();
    for (const [index, operation] of operations.entries()) {
      const answer = await this.send(operation, request, enclosing, answers);
      if (answer.status >= 400) {
        request.isRefusalRecorded = true;
        throw refusalOf(answer, { index, id: operation.id ?? null });
      }
      answers.add(operation.id, answer);
    }
    return new RawResponse(answers.text, { 'content-type': JSON_TYPE });
  }

  /** Executes each request in its own transaction. */
  async each({ operations }: BatchDto, request: BatchRequest): Promise<RawResponse> {
    this.check(operations, request);
    const isDryRun = request.isDryRun === true;
    const key = isDryRun ? undefined : request.headers['idempotency-key'];
    const answers = new BatchAnswers();
    for (const [index, operation] of operations.entries()) {
      // Keys from outside cannot contain a line break.
      const idempotencyKey = key === undefined ? undefined : `${String(key)}\n${index}`;
      answers.add(operation.id, await this.send(operation, request, { idempotencyKey, isDryRun }, answers));
    }
    return new RawResponse(answers.text, { 'content-type': JSON_TYPE });
  }

  private async send(
    { method, path, body, if_match }: BatchOperationDto,
    request: BatchRequest,
    enclosing: Enclosing,
    answers: BatchAnswers,
  ): Promise<InnerAnswer> {
    const lookUp = answers.reader();
    let url: string;
    let resolved: object | undefined;
    try {
      url = resolvePath(path, lookUp);
      resolved = resolveBody(body, lookUp) as object | undefined;
    } catch (error) {
      if (error instanceof ApiError) return answers.refused(error, request.id);
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

  /** Rejects the errors that can be found before execution, all at once. */
  private check(operations: readonly BatchOperationDto[], { headers }: BatchRequest): void {
    const earlier = new Set<string>();
    const faults: FieldError[] = [];
    if (headers['if-match'] !== undefined) faults.push(fault('If-Match', 'is that of one request: use its if_match.'));
    for (const [index, operation] of operations.entries()) {
      const at = `operations.${index}`;
      for (const one of this.faultsOf(operation, at, earlier)) {
        if (faults.push(one) === MAX_FIELD_ERRORS) throw invalidInput(faults);
      }
      const { id } = operation;
      if (id === undefined) continue;
      if (earlier.has(id)) faults.push(fault(`${at}.id`, 'is the name of an earlier request.'));
      earlier.add(id);
    }
    if (faults.length > 0) throw invalidInput(faults);
  }

  private *faultsOf(
    { method, path, body }: BatchOperationDto,
    at: string,
    earlier: ReadonlySet<string>,
  ): Generator<FieldError> {
    const isBatchable = this.routes.isBatchable(method, path);
    if (isBatchable === undefined)
      yield fault(`${at}.path`, `is not the path of an operation with the method ${method}.`);
    if (isBatchable === false) yield fault(`${at}.path`, 'is that of an operation that cannot be part of a batch.');
    const { ids, malformed } = mentionsIn({ path, body });
    for (const where of malformed) {
      yield fault(`${at}.${where}`, 'begins with $ and is no reference such as $a.id; write $$ for a dollar sign.');
    }
    for (const id of ids) {
      if (!earlier.has(id)) yield fault(at, `refers to ${printable(id)}, which is not the name of an earlier request.`);
    }
  }
}

const fault = (field: string, message: string): FieldError => ({
  field,
  code: 'invalid_value',
  message: `${field} ${message}`,
});

/** The error of one request as the error of the whole batch. */
function refusalOf({ body, headers }: InnerAnswer, operation: { index: number; id: string | null }): ApiError {
  const { error } = JSON.parse(body) as {
    error: { code: ApiError['code']; message: string; details?: Record<string, unknown> };
  };
  return new ApiError(error.code, error.message, { ...error.details, operation }, headers.retryAfter);
}
