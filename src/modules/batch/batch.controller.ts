import { Body, Controller, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.js';
import { CurrentCaller } from '../../access/current-caller.js';
import { Operation } from '../../access/operation.js';
import { isRecord } from '../../common/json.js';
import { CreateBody } from '../../platform/http/body.pipe.js';
import { describeDetails } from '../../platform/http/document/refusals.js';
import type { RawResponse } from '../../platform/http/raw-response.js';
import type { RequestState } from '../../platform/http/request.interceptor.js';
import { BoundedTransaction } from '../../platform/http/route-metadata.js';
import { component, enveloped, exactly } from '../../platform/http/schemas.js';
import { TransactionalPost } from '../../platform/http/transactional-routes.js';
import { BatchDto } from './batch.dto.js';
import { BatchService } from './batch.service.js';
import { BatchLimiter } from './batch-limiter.js';

const MULTI_STATUS = 207;
/** A deadlock is retried once. */
const BOUNDS = { seconds: 5, tries: 2, opensOwn: (body: unknown) => isRecord(body) && body.atomic === false };

const answers = {
  type: 'array',
  items: component(
    'BatchAnswer',
    exactly({
      id: { type: ['string', 'null'], description: 'The `id` of the request.' },
      status: { type: 'integer', description: 'The status of the answer.' },
      headers: exactly({
        etag: { type: ['string', 'null'], description: 'The `ETag` of the answer.' },
        location: { type: ['string', 'null'], description: 'The `Location` of the answer.' },
      }),
      body: { type: 'object', description: 'The answer, as the request alone would have it.' },
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
      index: { type: 'integer', description: 'Which of the requests it is, from 0.' },
      id: { type: ['string', 'null'], description: 'The `id` of the request.' },
    }),
  ),
  description: 'The request in a batch that was refused.',
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
      'Makes up to 100 writing requests in their order, each with the checks, limits and events that it has alone. ' +
      'Unless `atomic` is false they are one transaction of at most 5 seconds: all are done, or none, and the answer ' +
      'is the first refusal with `details.operation`. Otherwise the answer is 207 with that of each. Requests that ' +
      'need a session, show a secret or may become an operation cannot be part of a batch.',
    body: BatchDto,
    answer: answers,
    refuses: REFUSES,
  })
  @ApiResponse({ status: MULTI_STATUS, description: 'With `atomic: false`: the answers.', schema: enveloped(answers) })
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
