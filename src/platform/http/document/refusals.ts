import { CONFLICT_REASONS, FORBIDDEN_REASONS } from '../../../common/reasons.js';
import { FIELD_CODES, type RefusalCode } from '../../../common/errors.js';
import type { JsonSchema } from '../../database/view.js';
import { component, exactly } from '../schemas.js';

/** What the document says of one error code. */
interface RefusalDocument {
  /** When it happens: a sentence. */
  meaning: string;
  /** A message as the service sends it. */
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
      code: text('What is wrong with it.', { enum: [...FIELD_CODES] }),
      message: text('A sentence about it.'),
    },
    { allowed: texts('The values that are accepted, where these are a closed set.') },
  ),
);

const INVALID_INPUT = {
  fields: [{ field: 'title', code: 'required', message: 'title is required.' }],
};

/** Every error code of the service; `details` of a feature's own are added with {@link describeDetails}. */
const REFUSALS: Record<RefusalCode, RefusalDocument> = {
  invalid_input: {
    meaning: 'Fields or query parameters are not acceptable; `details.fields` names each of them.',
    message: 'title is required.',
    details: { fields: { type: 'array', items: fieldError, description: 'Everything that is wrong with the input.' } },
    example: INVALID_INPUT,
  },
  invalid_transition: {
    meaning: 'The status cannot change that way; `details.allowed` lists the statuses that are possible.',
    message: 'A move from done to active is not possible; possible: planned.',
    details: {
      from: text('The present status.'),
      to: text('The status that was asked for.'),
      allowed: texts('Possible.'),
    },
    example: { from: 'done', to: 'active', allowed: ['planned'] },
  },
  verification_failed: {
    meaning: 'The code is wrong, used or expired.',
    message: 'This code is wrong, used or no longer valid.',
  },
  reset_failed: {
    meaning: 'The code is wrong, used or expired.',
    message: 'This code is wrong, used or no longer valid.',
  },
  invalid_password: { meaning: 'The current password is wrong.', message: 'The current password is wrong.' },
  invalid_token: {
    meaning: 'The invitation does not exist, is used up, or has expired.',
    message: 'This invitation does not exist, is used up, or is no longer valid.',
  },
  unauthorized: {
    meaning: 'The access token is missing, malformed, expired or revoked.',
    message: 'This needs a valid token: sign in and send it as Authorization: Bearer.',
  },
  invalid_credentials: { meaning: 'The sign-in was refused.', message: 'E-mail or password is wrong.' },
  forbidden: {
    meaning: 'You can see it, but need another role; `details.required` says which.',
    message: 'This needs the role admin.',
    details: {
      required: text('What is needed.'),
      reason: {
        ...component('ForbiddenReason', { type: 'string', enum: [...FORBIDDEN_REASONS] }),
        description: 'Set where no role would help.',
      },
      required_scope: text('With `scope_required`: the scope that the token lacks.'),
    },
    example: { required: 'the role admin' },
  },
  account_suspended: { meaning: 'The account is suspended.', message: 'This account is suspended.' },
  tier_limit: {
    meaning: 'Your tier allows no more of these.',
    message: 'Your tier allows no more than 3 of these.',
    details: {
      limit: text('The limit of the tier that is reached.'),
      allowed: whole('How many the tier allows.'),
      used: whole('How many there are.'),
    },
    example: { limit: 'max_orgs', allowed: 3, used: 3 },
  },
  self_registration_disabled: {
    meaning: 'Accounts are made by invitation only.',
    message: 'Accounts are made here by invitation only.',
  },
  not_found: {
    meaning: 'It does not exist, or you may not see it.',
    message: 'There is nothing here, or nothing that you may see.',
  },
  method_not_allowed: {
    meaning: 'The path has no such method.',
    message: 'This path knows GET, POST.',
    details: { allowed: texts('The methods that the path has.') },
    example: { allowed: ['GET', 'POST'] },
  },
  conflict: {
    meaning: 'The present state of things does not allow it; `details.reason` says why.',
    message: 'The last owner cannot leave.',
    details: {
      reason: {
        ...component('ConflictReason', { type: 'string', enum: [...CONFLICT_REASONS] }),
        description: 'Why not.',
      },
      open_tasks: whole('With `open_tasks`: how many tasks are planned or active.'),
      count: whole('With `in_use`: how many tasks are assigned.'),
      id: text('With `too_large`: the container to archive first.'),
      missing: {
        type: 'array',
        items: exactly({ id: text('The id of the container.'), name: text('Its name.') }),
        description: 'With `last_owner`: the containers that need another owner first.',
      },
      assigned_policy_id: text('With `not_assigned`: the policy that the endeavour goes by.'),
      endorsement_id: text('With `already_endorsed`: the endorsement that exists.'),
    },
    example: { reason: 'last_owner' },
  },
  archived: {
    meaning: 'The endeavour or organization is archived.',
    message: 'The endeavour is archived; nothing in it can change.',
  },
  in_progress: {
    meaning: 'It is being archived, restored or erased; `details.operation_id` names the operation.',
    message: 'An operation is at work on this; it takes no changes until the operation has ended.',
    details: { operation_id: text('The operation that is at work.') },
    example: { operation_id: `opr_${'0'.repeat(32)}` },
  },
  dod_not_met: {
    meaning: 'The task does not meet the Definition of Done; `details.conditions` says what is missing.',
    message: 'The task does not meet the Definition of Done.',
  },
  quorum_not_met: {
    meaning: 'More members of the team must agree; your vote is counted.',
    message: '1 of 2 members of the team have agreed so far.',
  },
  request_in_progress: {
    meaning: 'A request with the same `Idempotency-Key` is being worked on.',
    message: 'A request with this Idempotency-Key is being worked on.',
  },
  gone: {
    meaning: 'Events after that sequence are not kept any more; start again from the lists.',
    message: 'Events before sequence 1000 are not kept any more; start again from the lists.',
    details: { oldest: whole('The oldest sequence that is kept.') },
    example: { oldest: 1000 },
  },
  precondition_failed: {
    meaning: '`If-Match` names another revision than the present one, `details.current_revision`.',
    message: 'It was changed in the meantime.',
    details: { current_revision: whole('The present revision.') },
    example: { current_revision: 2 },
  },
  payload_too_large: { meaning: 'The body is larger than 1 MiB.', message: 'The body is larger than 1 MiB.' },
  unsupported_media_type: {
    meaning: 'The body is not JSON in UTF-8.',
    message: 'The body must be JSON in UTF-8 (application/json).',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was used for a different request.',
    message: 'This Idempotency-Key was used for a different request.',
  },
  rate_limited: {
    meaning: 'Too many requests; `Retry-After` says when to try again.',
    message: 'Too many requests of this sort; try again later.',
  },
  velocity_limit: {
    meaning: 'Your tier allows no more creations in this hour.',
    message: 'Your tier allows 100 creations an hour.',
    details: { limit: text('The limit of the tier that is reached.'), allowed: whole('How many it allows.') },
    example: { limit: 'max_creations_per_hour', allowed: 100 },
  },
  internal_error: {
    meaning: 'Something went wrong in the service; it is recorded under `request_id`.',
    message: 'Something went wrong here; it has been recorded.',
  },
  unavailable: {
    meaning: 'The service cannot answer now; `Retry-After` says when to try again.',
    message: 'The database cannot be reached.',
    details: {
      outcome: text('`unknown` where a change may or may not have been saved.', { enum: ['unknown'] }),
    },
  },
};

export const refusalOf = (code: string): RefusalDocument => {
  const known = (REFUSALS as Record<string, RefusalDocument | undefined>)[code];
  if (known === undefined) throw new Error(`the document does not know the error code ${code}`);
  return known;
};

/** Adds properties to the `details` of an error code, from the feature that fills them. */
export function describeDetails(
  code: RefusalCode,
  details: Record<string, JsonSchema>,
  example?: Record<string, unknown>,
): void {
  const known = REFUSALS[code];
  known.details = { ...known.details, ...details };
  if (example !== undefined) known.example = example;
}
