import { PROOF_METHODS } from '../../../common/proofs.js';
import { CONFLICT_REASONS, FORBIDDEN_REASONS } from '../../../common/reasons.js';
import { FIELD_CODES, type ErrorCode } from '../../../common/errors.js';
import type { JsonSchema } from '../../database/views/view.js';
import { component, exactly } from './schemas.js';

/** The documentation of one error code. */
interface RefusalDocument {
  /** When it occurs, as a sentence. */
  meaning: string;
  /** An example message. */
  message: string;
  /** The properties of `details`. */
  details?: Record<string, JsonSchema>;
  /** `details` in the example. */
  example?: Record<string, unknown>;
}

const text = (description: string, more: object = {}): JsonSchema => ({ type: 'string', description, ...more });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });
const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

const fieldError = component(
  'FieldError',
  exactly(
    {
      field: text('The path of the field, such as `goals.0.title`, or the name of the query parameter.'),
      code: text('A stable code for what is wrong.', { enum: [...FIELD_CODES] }),
      message: text('A message for people.'),
    },
    { allowed: texts('The accepted values, if they are a closed set.') },
  ),
);

const INVALID_INPUT = {
  fields: [{ field: 'title', code: 'required', message: 'title is required.' }],
};

/** Every error code of the service; features add `details` with {@link describeDetails}. */
const REFUSALS: Record<ErrorCode, RefusalDocument> = {
  invalid_input: {
    meaning: 'One or more fields or query parameters are invalid; `details.fields` lists each of them.',
    message: 'title is required.',
    details: { fields: { type: 'array', items: fieldError, description: 'Every invalid field.' } },
    example: INVALID_INPUT,
  },
  invalid_transition: {
    meaning: 'The status transition is not allowed; `details.allowed` lists the allowed statuses.',
    message: 'The status cannot change from done to active; allowed: planned.',
    details: {
      from: text('The current status.'),
      to: text('The requested status.'),
      allowed: texts('The allowed statuses.'),
    },
    example: { from: 'done', to: 'active', allowed: ['planned'] },
  },
  verification_failed: {
    meaning: 'The code is wrong, already used or expired.',
    message: 'This code is wrong, already used or expired.',
  },
  reset_failed: {
    meaning: 'The code is wrong, already used or expired.',
    message: 'This code is wrong, already used or expired.',
  },
  invalid_password: { meaning: 'The current password is wrong.', message: 'The current password is wrong.' },
  invalid_token: {
    meaning: 'The invitation does not exist, is used up or has expired.',
    message: 'This invitation does not exist, is used up or has expired.',
  },
  unauthorized: {
    meaning: 'The token is missing, malformed, expired or revoked.',
    message: 'Authentication required: sign in and send the token as Authorization: Bearer.',
  },
  invalid_credentials: {
    meaning: 'The e-mail address or password is wrong.',
    message: 'The e-mail address or password is wrong.',
  },
  forbidden: {
    meaning: 'Your role is too low or your access token does not allow this; `details.required` names what you need.',
    message: 'You need the admin role in this endeavour.',
    details: {
      required: text('The required role or right.'),
      reason: {
        ...component('ForbiddenReason', { type: 'string', enum: [...FORBIDDEN_REASONS] }),
        description: 'Present if a higher role would not help.',
      },
      provider: exactly({ id: text('With `sso_required`: the provider to sign in with.'), name: text('Its name.') }),
      required_scope: text('With `scope_required`: the scope that the access token needs.'),
      methods: {
        type: 'array',
        items: component('ProofMethod', { type: 'string', enum: [...PROOF_METHODS] }),
        description: 'With `proof_required`: how you can prove with `POST /auth/step-up` that it is you.',
      },
    },
    example: { required: 'the admin role in this endeavour' },
  },
  account_suspended: { meaning: 'The account is suspended.', message: 'This account is suspended.' },
  tier_limit: {
    meaning: 'You have reached a limit of your tier.',
    message: 'Your tier allows at most 3 of these.',
    details: {
      limit: text('The limit that you have reached.'),
      allowed: whole('The value of the limit.'),
      used: whole('The current number.'),
    },
    example: { limit: 'max_orgs', allowed: 3, used: 3 },
  },
  self_registration_disabled: {
    meaning: 'Self-registration is disabled; an invitation is required.',
    message: 'Self-registration is disabled; ask for an invitation.',
  },
  not_found: {
    meaning: 'The entity does not exist, or you do not have access to it.',
    message: 'This does not exist, or you do not have access to it.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method.',
    message: 'This path supports GET, POST.',
    details: { allowed: texts('The methods that the path supports.') },
    example: { allowed: ['GET', 'POST'] },
  },
  conflict: {
    meaning: 'The request conflicts with the current state; `details.reason` says why.',
    message: 'The organization needs another active owner first.',
    details: {
      reason: {
        ...component('ConflictReason', { type: 'string', enum: [...CONFLICT_REASONS] }),
        description: 'The reason for the conflict.',
      },
      open_tasks: whole('With `open_tasks`: the number of planned or active tasks.'),
      count: whole('With `in_use`: the number of tasks that are assigned, or in the stages.'),
      stage: text('With `wip_limit`: the id of the stage that is full.'),
      limit: whole('With `wip_limit`: the number of tasks that the stage takes.'),
      id: text('With `too_large`: the container to archive first.'),
      missing: {
        type: 'array',
        items: exactly({ id: text('The id of the container.'), name: text('The name of the container.') }),
        description: 'With `last_owner`: the containers that need another owner first.',
      },
      assigned_policy_id: text('With `not_assigned`: the policy that is assigned to the endeavour.'),
      ids: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `ambiguous_key`: the tasks and demands with this key, at most 20.',
      },
      tasks: {
        type: 'array',
        items: exactly({
          id: text('The id of the task.'),
          code: text('The code of the error with which it is refused.'),
          reason: { type: ['string', 'null'], description: 'The `details.reason` of that error, if it has one.' },
          message: text('Why it is refused.'),
        }),
        description: 'With `tasks_stay`: the tasks that cannot move.',
      },
      endorsement_id: text('With `already_endorsed`: the existing endorsement.'),
    },
    example: { reason: 'last_owner' },
  },
  archived: {
    meaning: 'The endeavour or organization is archived.',
    message: 'The endeavour is archived; it and its contents cannot be changed.',
  },
  in_progress: {
    meaning: 'The container is being archived, restored or erased; `details.operation_id` identifies the operation.',
    message: 'An operation is running on this organization or endeavour; try again after it has finished.',
    details: { operation_id: text('The id of the running operation.') },
    example: { operation_id: `opr_${'0'.repeat(32)}` },
  },
  dod_not_met: {
    meaning: 'The task does not meet the Definition of Done; `details.conditions` lists the unmet conditions.',
    message: 'The task does not meet the Definition of Done.',
  },
  quorum_not_met: {
    meaning: 'More members of the team must agree; your vote has been counted.',
    message: '1 of 2 required team members have agreed so far.',
  },
  request_in_progress: {
    meaning: 'A request with the same `Idempotency-Key` is still being processed.',
    message: 'A request with this Idempotency-Key is still being processed.',
  },
  gone: {
    meaning: 'Events after that sequence are no longer available; synchronize again from the list endpoints.',
    message: 'Events before sequence 1000 are no longer available; synchronize again from the list endpoints.',
    details: { oldest: whole('The oldest available sequence.') },
    example: { oldest: 1000 },
  },
  precondition_failed: {
    meaning: '`If-Match` does not match the current revision, `details.current_revision`.',
    message: 'The entity has changed since you read it.',
    details: { current_revision: whole('The current revision.') },
    example: { current_revision: 2 },
  },
  payload_too_large: {
    meaning: 'The request body is larger than 1 MiB.',
    message: 'The request body is larger than 1 MiB.',
  },
  unsupported_media_type: {
    meaning: 'The request body is not JSON in UTF-8.',
    message: 'The request body must be JSON in UTF-8 (Content-Type: application/json).',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was already used for a different request.',
    message: 'This Idempotency-Key was already used for a different request.',
  },
  rate_limited: {
    meaning: 'Too many requests; `details` names the limit, `Retry-After` says when to try again.',
    message: 'At most 1200 writes of one user are accepted per minute (LIMIT_WRITES_PER_MINUTE); try again later.',
    details: {
      limit: text('The limit that you have reached.'),
      allowed: whole('The value of the limit.'),
      seconds: {
        type: ['integer', 'null'],
        description: 'The length of the time window; null for a limit of what is in progress at once.',
      },
      setting: {
        type: ['string', 'null'],
        description: 'The setting of the service that changes the limit; null if it is fixed.',
      },
    },
    example: { limit: 'writes', allowed: 1200, seconds: 60, setting: 'LIMIT_WRITES_PER_MINUTE' },
  },
  velocity_limit: {
    meaning: 'You have reached the hourly limit of your tier for creating entities.',
    message: 'Your tier allows 100 creations per hour.',
    details: { limit: text('The limit that you have reached.'), allowed: whole('The value of the limit.') },
    example: { limit: 'max_creations_per_hour', allowed: 100 },
  },
  internal_error: {
    meaning: 'An unexpected error occurred; the service logged it under `request_id`.',
    message: 'An unexpected error occurred and was logged.',
  },
  unavailable: {
    meaning: 'The service is temporarily unavailable; `Retry-After` says when to try again.',
    message: 'The database is unreachable; try again in a moment.',
    details: {
      outcome: text('`unknown` if the change may or may not have been saved.', { enum: ['unknown'] }),
    },
  },
};

export const documentedRefusalOf = (code: string): RefusalDocument => {
  const refusal = (REFUSALS as Record<string, RefusalDocument | undefined>)[code];
  if (refusal === undefined) throw new Error(`the error code ${code} has no documentation`);
  return refusal;
};

/** Adds properties to the `details` of an error code, from the feature that fills them. */
export function describeDetails(
  code: ErrorCode,
  details: Record<string, JsonSchema>,
  example?: Record<string, unknown>,
): void {
  const refusal = REFUSALS[code];
  refusal.details = { ...refusal.details, ...details };
  if (example !== undefined) refusal.example = example;
}
