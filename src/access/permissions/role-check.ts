import { forbidden, outsideRestriction, type ApiError } from '../../common/errors.js';
import { rankOf, type Role } from '../../common/roles.js';
import { fromRow } from '../../platform/database/columns/columns.js';
import type { DataSource, EntityTarget, ObjectLiteral } from '../../platform/database/database.js';
import { recordRequirement } from '../../platform/context/request-context.js';
import {
  toAuthorizedResource,
  type AuthorizedResource,
  type AuthorizedRow,
  type LockedResource,
} from '../authorized-resource.js';
import type { Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from './permissions.js';

/** The row of an entity, with its container and extra columns. */
export type RowWithContainer = AuthorizedRow & Record<string, unknown>;

export type LockedWithExtras<E> = LockedResource<E> & { extras: Record<string, unknown> };

/** Returns the entity of the row, if any; 403 if the caller's role is too low for the operation. */
export function requireRole(
  me: Caller,
  operation: OperationId,
  row: AuthorizedRow | undefined,
): AuthorizedResource | undefined {
  if (row === undefined) return undefined;
  const resource = toAuthorizedResource(row, me);
  const error = insufficientRole(operation, resource);
  if (error !== undefined) throw error;
  recordRequirement({ operation, entityId: resource.id });
  return resource;
}

/**
 * Like {@link requireRole}, with the row of the entity; 403 also for entities that a restricted token can see but not
 * change.
 */
export function lockedResource<E extends ObjectLiteral>(
  source: DataSource,
  me: Caller,
  operation: OperationId,
  entity: EntityTarget<E>,
  row: RowWithContainer | undefined,
): LockedWithExtras<E> | undefined {
  const resource = requireRole(me, operation, row);
  if (resource === undefined) return undefined;
  // Users and their resources are visible to the members of a container, but are not in it.
  if (me.containerId !== undefined && resource.place.ownerUserId != null) throw outsideRestriction();
  const columns = row as RowWithContainer;
  return { ...resource, row: fromRow(source, entity, columns), extras: columns };
}

/** Returns the error if the caller's rank is too low for the operation on subjects of others, such as other members. */
export function insufficientForOthers(operation: OperationId, resource: AuthorizedResource): ApiError | undefined {
  return tooLow(permissionOf(operation).roleForOthers, resource);
}

/** Returns the error if the caller's rank is too low for the operation. */
const insufficientRole = (operation: OperationId, resource: AuthorizedResource): ApiError | undefined =>
  tooLow(permissionOf(operation).role, resource);

function tooLow(role: Role | undefined, { rank, containerKind }: AuthorizedResource): ApiError | undefined {
  if (role === undefined || rank >= rankOf(role)) return undefined;
  return forbidden(`the ${role} role${containerKind === null ? '' : ` in this ${containerKind}`}`);
}
