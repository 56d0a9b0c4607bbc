import type { ApiError } from '../../../common/errors.js';
import { prefersType } from '../requests/negotiation.js';

/** Without charset, which JSON does not have (RFC 8259): some clients compare the whole value. */
export const JSON_TYPE = 'application/json';
const PROBLEM = 'application/problem+json';

/** A complete response, as it is sent and stored under an idempotency key. */
export interface CompleteResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Set if the response is not stored under the idempotency key, because a repetition may have another result. */
  isNotKept?: true;
}

/** The credentials of a request, and where the metadata of what it asks for are (RFC 9728). */
interface AskedWith {
  authorization?: string;
  metadata?: string;
}

const BEARER = 'Bearer realm="worksmith"';

/** What the client has to do about its token (RFC 6750, RFC 9728); undefined if the token is not the reason. */
function challengeOf({ code, details }: ApiError, { authorization, metadata }: AskedWith): string | undefined {
  const scope = (details as { required_scope?: string } | undefined)?.required_scope;
  if (scope !== undefined) return `${BEARER}, error="insufficient_scope", scope="${scope}"`;
  if (code !== 'unauthorized') return undefined;
  const fault = authorization === undefined ? '' : ', error="invalid_token"';
  return `${BEARER}${fault}${metadata === undefined ? '' : `, resource_metadata="${metadata}"`}`;
}

/** An error body in the envelope of spec 01, or in the format of RFC 9457 if the client prefers it. */
export function failure(
  refusal: ApiError,
  status: number,
  request: { id: string; path: string; accept?: string } & AskedWith,
): CompleteResponse {
  const headers: Record<string, string> = {};
  if (refusal.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(refusal.retryAfter)));
  const challenge = challengeOf(refusal, request);
  if (challenge !== undefined) headers['www-authenticate'] = challenge;
  const { code, message, details } = refusal;
  if (prefersType(request.accept, PROBLEM, 'application/json')) {
    const { fields, ...others } = details ?? {};
    const problem = {
      type: `urn:worksmith:error:${code}`,
      title: code.replaceAll('_', ' '),
      status,
      detail: message,
      instance: request.path,
      code,
      request_id: request.id,
      ...(fields !== undefined && { fields }),
      ...(Object.keys(others).length > 0 && { details: others }),
    };
    return {
      status,
      headers: { ...headers, 'content-type': PROBLEM },
      body: JSON.stringify(problem),
    };
  }
  const error = { code, message, request_id: request.id, ...(details !== undefined && { details }) };
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: JSON.stringify({ error }) };
}
