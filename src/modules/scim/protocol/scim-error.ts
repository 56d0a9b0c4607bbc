import { ApiError } from '../../../common/errors.js';
import { toApiError, type TranslatedError } from '../../../platform/http/responses/to-api-error.js';

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The words of RFC 7644 for what is wrong with a request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal with its word of RFC 7644, beside the error as the rest of the service knows it. */
export class ScimError extends ApiError {
  constructor(
    code: ApiError['code'],
    message: string,
    readonly scimType: ScimType,
  ) {
    super(code, message);
  }
}

/** 400 with the word that says what is wrong. */
export const invalid = (scimType: ScimType, message: string): ScimError =>
  new ScimError('invalid_input', message, scimType);

/** 409: another person or group has the value. */
export const taken = (message: string): ScimError => new ScimError('conflict', message, 'uniqueness');

/** An error as SCIM shows it, with the verdict that the access log and the audit take. */
export interface ScimFailure extends TranslatedError {
  body: { schemas: string[]; status: string; scimType?: ScimType; detail: string };
}

/** The error of a thrown value. What the database finds in use is a matter of uniqueness. */
export function toScimFailure(error: unknown): ScimFailure {
  const verdict = toApiError(error);
  const { refusal, status } = verdict;
  const scimType = refusal instanceof ScimError ? refusal.scimType : impliedBy(refusal);
  const { fields } = (refusal.details ?? {}) as { fields?: { message: string }[] };
  const detail = fields === undefined ? refusal.message : fields.map(({ message }) => message).join(' ');
  return {
    ...verdict,
    body: { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType && { scimType }), detail },
  };
}

function impliedBy({ code, details }: ApiError): ScimType | undefined {
  if (code === 'invalid_input') return 'invalidSyntax';
  const isTaken = ['email_taken', 'duplicate'].includes(String(details?.reason));
  return code === 'conflict' && isTaken ? 'uniqueness' : undefined;
}
