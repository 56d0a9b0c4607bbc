import type { FastifyRequest } from 'fastify';
import { driverError, databaseProblemOf } from '../database/connections/driver-errors.js';
import type { ApiError } from '../../common/errors.js';

const MAX_CAUSE_LENGTH = 300;

/** The codes whose `details.limit` is the name of a limit. */
const LIMITS: readonly string[] = ['rate_limited', 'tier_limit', 'velocity_limit'];

/** The fields of the access log for a failed request. */
export interface FailureFacts {
  code: string;
  reason?: string;
  /** The name of the limit that was exceeded. */
  limit?: string;
  /** Only for failures of the service: the database problem or the error behind it. */
  cause?: string;
}

const failures = new WeakMap<FastifyRequest, FailureFacts>();

/** Stores the reason of a failure for the access log. */
export function noteFailure(
  request: FastifyRequest,
  { refusal, status }: { refusal: ApiError; status: number },
  error: unknown,
): void {
  const { reason, limit } = refusal.details ?? {};
  failures.set(request, {
    code: refusal.code,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof limit === 'string' && LIMITS.includes(refusal.code) && { limit }),
    ...(status >= 500 && { cause: causeOf(error) }),
  });
}

export const failureOf = (request: FastifyRequest): FailureFacts | undefined => failures.get(request);

function causeOf(error: unknown): string {
  const problem = databaseProblemOf(error);
  const { message = String(error) } = driverError(error) ?? {};
  return `${problem === undefined ? '' : `${problem}: `}${message.split('\n')[0]}`.slice(0, MAX_CAUSE_LENGTH);
}
