import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../common/audit.js';
import { kindOf } from '../../../common/ids.js';
import { failureOf } from '../../context/failure-facts.js';
import type { RequestState } from '../requests/request.interceptor.js';
import { isTrial } from '../../context/sub-requests.js';
import type { RefusalTally } from '../../audit/refusal-tally.js';

/**
 * The audit action of each refusal code. Failed sign-ins are recorded by the login service, which knows the account.
 */
const ACTIONS: Readonly<Partial<Record<string, AuditAction>>> = {
  forbidden: 'access.denied',
  self_registration_disabled: 'access.denied',
  rate_limited: 'limit.hit',
  tier_limit: 'limit.hit',
  velocity_limit: 'limit.hit',
  unauthorized: 'token.refused',
  invalid_token: 'code.refused',
  reset_failed: 'code.refused',
  verification_failed: 'code.refused',
  invalid_password: 'password.refused',
};

/** Counts security-relevant refusals once their response is ready; successful requests are not inspected. */
export function countRefusals(fastify: FastifyInstance, tally: RefusalTally): void {
  fastify.addHook('onSend', (request: FastifyRequest & RequestState, reply, payload, done) => {
    if (reply.statusCode >= 400 && reply.statusCode < 500) recordRefusal(request, tally);
    done(null, payload);
  });
}

function recordRefusal(request: FastifyRequest & RequestState, tally: RefusalTally): void {
  const failure = failureOf(request);
  const action = failure && ACTIONS[failure.code];
  const isAnonymous = action === 'token.refused' && request.headers.authorization === undefined;
  if (failure === undefined || action === undefined || isAnonymous || isTrial(request)) return;
  if (request.isRefusalRecorded === true) return;
  const { url: route = '' } = request.routeOptions;
  const { id } = (request.params ?? {}) as { id?: string };
  tally.record({
    action,
    code: failure.code,
    reason: failure.reason,
    operation: `${request.method} ${route}`,
    entityId: kindOf(id) === undefined ? undefined : id,
    caller: request.caller,
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 300),
  });
}
