import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { assertMayCall } from '../../access/operations/may-call.js';
import { OperationRegistry, type RegisteredOperation } from '../../access/operations/operation-registry.js';
import { permissionOf, type OperationId } from '../../access/permissions/permissions.js';
import { insufficientForOthers } from '../../access/permissions/role-check.js';
import { StepUp } from '../../access/second-factor/step-up.js';
import { invalidInput, ApiError } from '../../common/errors.js';
import { isRecord } from '../../common/texts/json.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { SubRequests } from '../../platform/context/sub-requests.js';
import { exampleBody, exampleParameters } from './example-body.js';
import type { QuestionDto } from './rights.dto.js';
import { RightsRepository, type GrantedRole } from './rights.repository.js';

/** The reason why a call would be rejected. */
export interface Reason {
  code: string;
  reason: string | null;
  message: string;
}

export interface Decision {
  action: string;
  entity_id: string | null;
  allowed: boolean;
  via: GrantedRole[];
  reasons: Reason[];
}

/**
 * Answers whether the caller could make a call. The call is executed with all guards and rules in a transaction that is
 * rolled back. If the question has no input, required fields and query parameters have example values, so that visibility,
 * role and state are checked by the call itself. If that is not enough to execute it, the permission table decides by the
 * role in the named entity.
 */
@Injectable()
export class RightsService {
  constructor(
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly requests: SubRequests,
    private readonly repository: RightsRepository,
    private readonly operations: OperationRegistry,
    private readonly stepUp: StepUp,
  ) {}

  /** Rejects the question at `field` if the operation does not exist. */
  async decide(me: Caller, authorization: string, question: QuestionDto, field = ''): Promise<Decision> {
    const { action, entity_id: entityId } = question;
    const route = this.operations.find(action);
    if (route === undefined) {
      const at = `${field}action`;
      throw invalidInput([{ field: at, code: 'invalid_value', message: `${at} must be an operationId.` }]);
    }
    const reasons = await this.reasonsAgainst(me, authorization, action as OperationId, route, question);
    const via = reasons.length === 0 ? await this.viaOf(me, action as OperationId, entityId) : [];
    return { action, entity_id: entityId ?? null, allowed: reasons.length === 0, via, reasons };
  }

  private async reasonsAgainst(
    me: Caller,
    authorization: string,
    action: OperationId,
    route: RegisteredOperation,
    question: QuestionDto,
  ): Promise<Reason[]> {
    const hasInput = question.body !== undefined || question.parameters !== undefined;
    const url = urlOf(route, question.entity_id, hasInput ? question.parameters : exampleParameters(route.handler));
    const body = question.body ?? this.bodyFor(route, question);
    const byTable = () => this.reasonsByPermissionTable(me, action, route, question.entity_id);
    if (url === undefined || !route.canBeTried) return byTable();
    const clientAddress = this.context.clientAddress ?? '';
    const call = { method: route.method, url, headers: { authorization }, clientAddress, body };
    const response = await this.requests.send(call, { isTrial: true });
    if (response.status < 400) return [];
    const reason = reasonIn(JSON.parse(response.body));
    // The example body names entities that do not exist, after the checks of visibility and role.
    return reason.code === 'invalid_input' && !hasInput ? byTable() : [reason];
  }

  /** The body of the call if the question has none: nothing to change, or what its body requires. */
  private bodyFor(
    { method, path, declaration: { body } }: RegisteredOperation,
    { entity_id: id }: QuestionDto,
  ): object | undefined {
    if (method === 'PATCH') return {};
    if (body === undefined) return undefined;
    return exampleBody(body, path.parameters.includes('id') ? undefined : id);
  }

  private async reasonsByPermissionTable(
    me: Caller,
    action: OperationId,
    { declaration }: RegisteredOperation,
    entityId: string | undefined,
  ): Promise<Reason[]> {
    try {
      assertMayCall(action, me);
      await this.stepUp.assertFor(action, me);
      if (entityId === undefined) return [];
      const entity = await this.access.authorizeWithoutLock(me, action, entityId);
      const insufficient = insufficientForOthers(action, entity);
      if (insufficient !== undefined) return [reasonOf(insufficient)];
      if (declaration.refuses?.includes('archived') === true) this.access.assertWritable(entity);
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return [reasonOf(error)];
    }
  }

  private async viaOf(me: Caller, action: OperationId, entityId: string | undefined): Promise<GrantedRole[]> {
    const entity = entityId === undefined ? undefined : await this.access.find(me, entityId);
    const roles = entity === undefined ? [] : await this.repository.rolesAt(me, entity);
    const isByAdministratorRole = me.isAdmin && (roles.length === 0 || permissionOf(action).access === 'admin');
    return isByAdministratorRole ? [{ role: 'administrator', container_id: null, through: null }, ...roles] : roles;
  }
}

/** The path and query of the call; undefined if a part of the path is unknown. */
function urlOf(
  { path }: RegisteredOperation,
  id: string | undefined,
  parameters: Record<string, unknown> = {},
): string | undefined {
  const filled = path.filled({ id, ...parameters });
  if (filled === undefined) return undefined;
  const query = Object.entries(parameters).filter(([name]) => !path.parameters.includes(name));
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, textOf(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/**
 * The value as a query parameter: lists are separated by commas, other values that are not strings are sent as JSON.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const reasonOf = ({ code, message, details }: ApiError): Reason => ({
  code,
  reason: typeof details?.reason === 'string' ? details.reason : null,
  message,
});

function reasonIn(body: unknown): Reason {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const details = isRecord(error.details) ? error.details : {};
  return {
    code: String(error.code),
    reason: typeof details.reason === 'string' ? details.reason : null,
    message: String(error.message),
  };
}
