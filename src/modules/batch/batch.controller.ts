import { Body, Controller, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { isRecord } from '../../common/texts/json.js';
import { CreateBody } from '../../platform/http/bodies/body.pipe.js';
import { describeDetails } from '../../platform/http/openapi/refusals.js';
import type { RawResponse } from '../../platform/http/responses/raw-response.js';
import type { RequestState } from '../../platform/http/requests/request.interceptor.js';
import { BoundedTransaction } from '../../platform/http/server/route-metadata.js';
import { component, enveloped, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { BatchDto } from './batch.dto.js';
import { BatchService } from './batch.service.js';
import { BatchLimiter } from './batch-limiter.js';

const MULTI_STATUS = 207;
/** Two tries: a deadlock is retried once. */
const BOUNDS = { tries: 2, opensOwn: (body: unknown) => isRecord(body) && body.atomic === false };

const responses = {
  type: 'array',
  items: component(
    'BatchAnswer',
    exactly({
      id: { type: ['string', 'null'], description: 'The `id` of the request.' },
      status: { type: 'integer', description: 'The status of the response.' },
      headers: exactly({
        etag: { type: ['string', 'null'], description: 'The `ETag` of the response.' },
        location: { type: ['string', 'null'], description: 'The `Location` of the response.' },
      }),
      body: { type: 'object', description: 'The body of the response, as outside of a batch.' },
    }),
  ),
};

const REFUSES = [
  'invalid_transition',
  'forbidden',
  'tier_limit',
  'not_found',
  'conflict',
  'archived',
  'dod_not_met',
  'quorum_not_met',
  'precondition_failed',
  'velocity_limit',
] as const;

const OPERATION = {
  ...component(
    'RefusedOperation',
    exactly({
      index: { type: 'integer', description: 'The position of the request in the batch, from 0.' },
      id: { type: ['string', 'null'], description: 'The `id` of the request.' },
    }),
  ),
  description: 'The request of a batch that failed.',
};

for (const code of [
  ...REFUSES,
  'invalid_input',
  'in_progress',
  'rate_limited',
  'payload_too_large',
  'unavailable',
  'internal_error',
] as const)
  describeDetails(code, { operation: OPERATION });

@ApiTags('Batch')
@Controller('batch')
export class BatchController {
  constructor(private readonly batches: BatchService) {}

  @TransactionalPost()
  @UseInterceptors(BatchLimiter)
  @BoundedTransaction(BOUNDS)
  @Operation('batch_run', {
    summary: 'Run several requests',
    description:
      'Executes up to 100 writing requests in order, each with the same checks, limits and events as outside of a batch. ' +
      'By default, they are one transaction of at most 5 seconds: if a request fails, none is executed, and the response ' +
      'is its error with `details.operation`. If `atomic` is false, each request has its own transaction, and the response ' +
      'is 207 with the response to each request. Requests that need a session, return a secret or may continue as an ' +
      'operation (202) cannot be part of a batch.',
    body: BatchDto,
    response: responses,
    refuses: REFUSES,
  })
  @ApiResponse({
    status: MULTI_STATUS,
    description: 'With `atomic: false`: the responses.',
    schema: enveloped(responses),
  })
  run(
    @CurrentCaller() me: Caller,
    @Body(CreateBody(BatchDto)) batch: BatchDto,
    @Req() request: FastifyRequest & RequestState,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RawResponse> {
    if (batch.atomic !== false) return this.batches.all(me, batch, request);
    void reply.code(MULTI_STATUS);
    return this.batches.each(batch, request);
  }
}
