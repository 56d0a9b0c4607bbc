import type { FastifyRequest } from 'fastify';
import { driverError, databaseProblemOf } from '../database/driver-errors.js';
import type { TranslatedError } from './to-api-error.js';

const LONGEST_CAUSE = 300;

/** What the access log records about a failed request. */
export interface FailureFacts {
  code: string;
  reason?: string;
  /** Only for failures of the service: the database problem or the error behind it. */
  cause?: string;
}

const noted = new WeakMap<FastifyRequest, FailureFacts>();

/** Stores the reason of a failure for the access log. */
export function noteFailure(request: FastifyRequest, { refusal, status }: TranslatedError, error: unknown): void {
  const reason = refusal.details?.reason;
  noted.set(request, {
    code: refusal.code,
    ...(typeof reason === 'string' && { reason }),
    ...(status >= 500 && { cause: causeOf(error) }),
  });
}

export const failureOf = (request: FastifyRequest): FailureFacts | undefined => noted.get(request);

function causeOf(error: unknown): string {
  const problem = databaseProblemOf(error);
  const { message = String(error) } = driverError(error) ?? {};
  return `${problem === undefined ? '' : `${problem}: `}${message.split('\n')[0]}`.slice(0, LONGEST_CAUSE);
}
