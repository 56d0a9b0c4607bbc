import { HttpException } from '@nestjs/common';
import { reasonOfConstraint } from '../../../common/reasons.js';
import {
  conflict,
  invalidField,
  invalidInput,
  notFound,
  outsideRestriction,
  referenceNotFound,
  ApiError,
} from '../../../common/errors.js';
import {
  driverError,
  sqlState,
  DATABASE_PROBLEM_MESSAGES,
  databaseProblemOf,
  type DatabaseProblem,
} from '../../database/connections/driver-errors.js';
import { STATUS } from './status.js';

/** An API error, and whether it is caused by a fault of the service that must be investigated. */
export interface TranslatedError {
  refusal: ApiError;
  status: number;
  /** Invalid input that only the database noticed: the response is correct, but a check is missing. */
  validatorGap?: boolean;
}

const internal = (): ApiError => new ApiError('internal_error', 'An unexpected error occurred and was logged.');

/** The retry delay in seconds of problems that need more than one second. */
const RETRY_SECONDS: Partial<Record<DatabaseProblem, number>> = { disk_full: 30, read_only: 10 };

/** The API error for any thrown error. */
export function toApiError(error: unknown): TranslatedError {
  if (error instanceof ApiError) return { refusal: error, status: STATUS[error.code] };
  const { refusal, validatorGap } = fromDatabase(error) ?? fromFramework(error) ?? { refusal: internal() };
  return { refusal, status: STATUS[refusal.code], validatorGap };
}

function fromDatabase(error: unknown): Omit<TranslatedError, 'status'> | undefined {
  const problem = databaseProblemOf(error);
  if (problem !== undefined) {
    return {
      refusal: new ApiError('unavailable', DATABASE_PROBLEM_MESSAGES[problem], undefined, RETRY_SECONDS[problem] ?? 1),
    };
  }
  const state = sqlState(error);
  if (state === undefined) return undefined;
  const constraint = driverError(error)?.constraint ?? '';
  if (/^22|^54/.test(state)) {
    return {
      refusal: invalidField('body', 'invalid_value', 'A value cannot be stored in this form.'),
      validatorGap: true,
    };
  }
  if (state === '23502' || state === '23514') {
    const refusal = invalidField(fieldOf(constraint), 'invalid_value', 'A value violates a rule of the data model.');
    return { refusal, validatorGap: true };
  }
  if (state === '23503') return { refusal: invalidInput([referenceNotFound(fieldOf(constraint))]) };
  if (state === '44000') return { refusal: outsideRestriction() };
  if (state === '23505' || state === '23P01') {
    return { refusal: conflict(reasonOfConstraint(constraint), 'An entity with these values already exists.') };
  }
  return undefined;
}

/** The field of a constraint: `demand_id` for `tasks_demand_id_fkey`. */
function fieldOf(constraint: string): string {
  return /^[a-z]+_(.+)_(?:fkey|check)$/.exec(constraint)?.[1] ?? 'body';
}

/** Errors of Fastify and Nest before a handler is reached. */
function fromFramework(error: unknown): Omit<TranslatedError, 'status'> | undefined {
  const code = (error as { code?: string }).code ?? '';
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number }).statusCode;
  if (status === 401) return { refusal: unauthorized() };
  if (status === 404 || status === 414 || code === 'FST_ERR_BAD_URL') return { refusal: notFound() };
  if (status === 503) return { refusal: new ApiError('unavailable', 'The service is shutting down.', undefined, 1) };
  if (status !== undefined && status >= 400 && status < 500) {
    return { refusal: invalidField('body', 'invalid_format', 'The request is malformed.') };
  }
  return undefined;
}

export const unauthorized = (): ApiError =>
  new ApiError('unauthorized', 'Authentication required: sign in and send the token as Authorization: Bearer.');
