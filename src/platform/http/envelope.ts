import type { ApiError } from '../../common/errors.js';
import { prefersType } from './negotiation.js';

export const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM = 'application/problem+json';

/** A finished answer: what is sent, and what is kept for a repetition under the same idempotency key. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** It is not repeated under the same idempotency key: asked again, there may be something. */
  isNotKept?: true;
}

/** The body of a failure in the envelope of spec 01, or as RFC 9457 has it where the client prefers that. */
export function failure(
  refusal: ApiError,
  status: number,
  request: { id: string; path: string; accept?: string },
): Answer {
  const headers: Record<string, string> = {};
  if (refusal.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(refusal.retryAfter)));
  if (refusal.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
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
      headers: { ...headers, 'content-type': `${PROBLEM}; charset=utf-8` },
      body: JSON.stringify(problem),
    };
  }
  const error = { code, message, request_id: request.id, ...(details !== undefined && { details }) };
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: JSON.stringify({ error }) };
}
