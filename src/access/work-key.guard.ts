import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { conflict } from '../common/errors.js';
import { groupBy } from '../common/group-by.js';
import { isId } from '../common/ids.js';
import { KINDS } from '../common/kinds.js';
import type { KeyedKind } from '../common/work-keys.js';
import type { Caller } from './caller.js';
import { keyedValues, type KeyedValue } from './keyed-values.js';
import { OperationRegistry } from './operation-registry.js';
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
    const values = [...keyedValues(request, operation.declaration)];
    return values.length === 0 || this.replace(request.caller, request, values);
  }

  private async replace(me: Caller, request: FastifyRequest, values: readonly KeyedValue[]): Promise<boolean> {
    const { endeavour_id: near } = request.query as Record<string, unknown>;
    const keys = [...new Set(values.map(({ key }) => key))];
    const found = await this.keys.find(me, keys, typeof near === 'string' ? near.split(',') : []);
    const byKey = groupBy(found, ({ key }) => key);
    for (const value of values) value.replace(meantBy(value, byKey.get(value.key) ?? []));
    return true;
  }
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
    `${key.toUpperCase()} is the key of several tasks or demands that you see. Use one of the ids; lists also take endeavour_id.`,
    { ids: meant.map(({ id }) => id) },
  );
}
