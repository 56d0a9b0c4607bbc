import type { ConflictReason } from './reasons.js';

/** Why a request is refused; platform/http maps each code to an HTTP status. */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_transition'
  | 'verification_failed'
  | 'reset_failed'
  | 'invalid_password'
  | 'invalid_token'
  | 'unauthorized'
  | 'invalid_credentials'
  | 'forbidden'
  | 'account_suspended'
  | 'tier_limit'
  | 'self_registration_disabled'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'archived'
  | 'in_progress'
  | 'dod_not_met'
  | 'quorum_not_met'
  | 'gone'
  | 'request_in_progress'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'velocity_limit'
  | 'internal_error'
  | 'unavailable';

/** The codes of errors in one input field. */
export const FIELD_CODES = [
  'required',
  'unknown_field',
  'invalid_type',
  'too_long',
  'too_short',
  'invalid_format',
  'invalid_value',
  'invalid_date',
  'invalid_text',
  'out_of_range',
  'reference_not_found',
  'not_nullable',
  'read_only',
] as const;

export type FieldCode = (typeof FIELD_CODES)[number];

/** An error in one input field; never carries the value. */
export interface FieldError {
  field: string;
  code: FieldCode;
  message: string;
  /** The allowed values of an enumerated field. */
  allowed?: readonly string[];
}

/**
 * A request that is rejected for a reason that the client should know. Everything it wrote is rolled back, unless
 * {@link commits} is set.
 */
export class ApiError extends Error {
  /**
   * Commits what was written before the error. Set only if everything written so far is meant to stay, such as a vote
   * or a check.
   */
  commits = false;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Record<string, unknown>,
    /** Seconds after which another try makes sense; becomes `Retry-After`. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

export const invalidInput = (fieldErrors: FieldError[]): ApiError =>
  new ApiError(
    'invalid_input',
    fieldErrors.length === 1 ? fieldErrors[0].message : `${fieldErrors.length} fields are invalid.`,
    {
      fields: fieldErrors,
    },
  );

export const invalidField = (field: string, code: FieldCode, message: string, allowed?: readonly string[]): ApiError =>
  invalidInput([{ field, code, message, ...(allowed && { allowed }) }]);

/** The error is the same for absent and invisible entities, so that it does not reveal which exist. */
export const referenceNotFound = (field: string): FieldError => ({
  field,
  code: 'reference_not_found',
  message: `${field} does not refer to an existing entity that you can access.`,
});

/** Marks the error so that what was written before it is committed (spec 02). */
export const committing = (refusal: ApiError): ApiError => Object.assign(refusal, { commits: true });

export const notFound = (): ApiError =>
  new ApiError('not_found', 'This does not exist, or you do not have access to it.');

/** `required` names a role or right; the message is derived from it unless one is given. */
export const forbidden = (required: string, message = `You need ${required}.`): ApiError =>
  new ApiError('forbidden', message, { required });

export const administratorRequired = (): ApiError => forbidden('an administrator', 'Only administrators can do this.');

/** The error for a position in the feed whose events have been removed. */
export const gone = (oldest: number): ApiError =>
  new ApiError(
    'gone',
    `Events before sequence ${oldest} are no longer available; synchronize again from the list endpoints.`,
    {
      oldest,
    },
  );

/** The error for an access token that is restricted to another container. */
export const outsideRestriction = (): ApiError =>
  new ApiError(
    'forbidden',
    'This access token is restricted to one organization or endeavour and cannot access anything outside it.',
    {
      required: 'an access token without this restriction',
      reason: 'token_restricted',
    },
  );

/** `reason` is the stable word that clients switch on. */
export const conflict = (reason: ConflictReason, message: string, more: Record<string, unknown> = {}): ApiError =>
  new ApiError('conflict', message, { reason, ...more });

/** The error for a write to a container that is being archived, restored or erased. */
export const inProgress = (operationId: string): ApiError =>
  new ApiError(
    'in_progress',
    'An operation is running on this organization or endeavour; try again after it has finished.',
    {
      operation_id: operationId,
    },
  );

export const archived = (what: string): ApiError =>
  new ApiError('archived', `The ${what} is archived; it and its contents cannot be changed.`);
