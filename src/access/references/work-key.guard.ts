import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { conflict, invalidInput, type FieldError } from '../../common/errors.js';
import { groupBy } from '../../common/group-by.js';
import { isId } from '../../common/ids.js';
import { KINDS } from '../../common/kinds.js';
import type { KeyedKind } from '../../common/work-keys.js';
import { formatError, parameterErrors } from '../../platform/http/requests/plain-query.js';
import { rawQueryOf } from '../../platform/http/requests/query-parameters.js';
import type { Caller } from '../authentication/caller.js';
import { keyedValues, type KeyedValue } from './keyed-values.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { decidesBetweenKeys, queryNamesOf, type OperationOptions } from '../operations/operation.js';
import { WorkKeysRepository, type KeyedEntity } from './work-keys.repository.js';

/** An id that no entity has, so that the answer to an unknown key is that to an unknown id. */
const absent = (kind: KeyedKind): string => `${KINDS[kind]}_${'0'.repeat(32)}`;

/**
 * Replaces the keys of tasks and demands in a request by their ids, wherever the operation accepts such an id. Requests
 * without keys cost nothing.
 */
@Injectable()
export class WorkKeyGuard implements CanActivate {
  constructor(
    private readonly operations: OperationRegistry,
    private readonly keys: WorkKeysRepository,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { caller?: Caller }>();
    const operation = this.operations.of(context.getHandler());
    if (operation === undefined || request.caller === undefined) return true;
    const near = nearEndeavours(request, operation.declaration);
    const values = [...keyedValues(request, operation.declaration)];
    return values.length === 0 || this.replace(request.caller, near, values);
  }

  private async replace(me: Caller, near: readonly string[], values: readonly KeyedValue[]): Promise<boolean> {
    const keys = [...new Set(values.map(({ key }) => key))];
    const found = await this.keys.find(me, keys, near);
    const byKey = groupBy(found, ({ key }) => key);
    for (const value of values) value.replace(meantBy(value, byKey.get(value.key) ?? []));
    return true;
  }
}

/**
 * The endeavours in which keys are looked up first. `endeavour_id` is removed from the query of operations that would
 * otherwise not accept it.
 */
function nearEndeavours(request: FastifyRequest, declaration: OperationOptions): readonly string[] {
  const query = request.query as Record<string, unknown>;
  if (query.endeavour_id === undefined) return [];
  const { endeavour_id: near, ...others } = query;
  if (decidesBetweenKeys(declaration)) {
    const errors = nearErrors(near);
    const known = queryNamesOf(declaration);
    // A list reports a repeated parameter together with the errors of all others.
    if (errors.length > 0 && known === undefined && typeof near !== 'string') return [];
    request.query = others;
    if (errors.length > 0) {
      const alike = known === undefined ? [] : parameterErrors(rawQueryOf(request), [...known, 'dry_run']);
      throw invalidInput([...errors, ...alike]);
    }
  }
  return typeof near === 'string' ? near.split(',') : [];
}

/** An empty parameter counts as absent, as everywhere. */
function nearErrors(near: unknown): FieldError[] {
  if (near === '' || (typeof near === 'string' && isId('endeavour', near))) return [];
  const form = formatError('endeavour_id', near, true, false);
  if (form !== undefined) return [form];
  return [{ field: 'endeavour_id', code: 'invalid_format', message: 'Must be the id of an endeavour.' }];
}

/** The id that a key stands for: in the endeavour that the request names before others, present keys before former ones. */
function meantBy({ key, kinds }: KeyedValue, entities: readonly KeyedEntity[]): string {
  const accepted = entities.filter(({ id }) => kinds.some((kind) => isId(kind, id)));
  if (accepted.length === 0) return absent(kinds[0]);
  const precedence = ({ isNear, isFormer }: KeyedEntity): number => (isNear ? 0 : 2) + (isFormer ? 1 : 0);
  const first = Math.min(...accepted.map(precedence));
  const meant = accepted.filter((entity) => precedence(entity) === first);
  if (meant.length === 1) return meant[0].id;
  throw conflict(
    'ambiguous_key',
    `${key.toUpperCase()} is the key of several tasks or demands that you see. Name its endeavour in the query parameter endeavour_id, or use one of the ids.`,
    { ids: meant.map(({ id }) => id) },
  );
}
