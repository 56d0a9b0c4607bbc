import { Injectable } from '@nestjs/common';
import { archived, inProgress, invalidInput, notFound, referenceNotFound, ApiError } from '../common/errors.js';
import { isId, kindOf } from '../common/ids.js';
import type { Kind } from '../common/kinds.js';
import { Representation, type FieldNames, type Json, type View } from '../platform/database/views/view.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../platform/database/database.js';
import type { LockableRow } from '../platform/database/views/rows.js';
import { recordRequirement, RequestContext, type Requirement } from '../platform/context/request-context.js';
import { AccessStatements } from './visibility/access-statements.js';
import type { Caller } from './authentication/caller.js';
import type { OperationId } from './permissions/permissions.js';
import { lockedResource, requireRole, type LockedWithExtras, type RowWithContainer } from './permissions/role-check.js';
import {
  toAuthorizedResource,
  type ExtraColumns,
  type AuthorizedResource,
  type AuthorizedRow,
  type LockedResource,
} from './authorized-resource.js';

export type { ExtraColumns, AuthorizedResource, LockedResource, LockedWithExtras };

/**
 * Answers the two questions of spec 02 for one entity: whether the caller can see it (otherwise 404), and whether the
 * caller's role is high enough for the operation according to the permission table.
 */
@Injectable()
export class Access {
  private readonly statements = new AccessStatements(this.database.source);

  constructor(
    private readonly database: Database,
    private readonly context: RequestContext,
  ) {}

  /**
   * Locks the entity in the path for a change. 404 if it is not visible, 403 if the role is too low. Its row in
   * `entities` is locked too, so that a request that waited for the lock sees the current container, or the deletion.
   */
  async lockForUpdate<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
    extras?: ExtraColumns,
  ): Promise<LockedWithExtras<E>> {
    const locked = await this.selectForUpdate(me, operation, entity, id, extras);
    if (locked === undefined) throw notFound();
    return locked;
  }

  /** Like {@link lockForUpdate}, for an entity in a field of the body: 400 if it is not visible. */
  async lockReferenceForUpdate<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    field: string,
    id: string,
  ): Promise<LockedResource<E>> {
    const locked = await this.selectForUpdate(me, operation, entity, id);
    if (locked === undefined) throw invalidInput([referenceNotFound(field)]);
    return locked;
  }

  /**
   * Like {@link lockForUpdate}, for many entities of one kind: locks them in one statement and in the order of their
   * ids, and returns each entity or its error. With `isLocked` false, the entities are only read.
   */
  async lockEachForUpdate<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    ids: readonly string[],
    { extras, isLocked }: { extras?: ExtraColumns; isLocked: boolean },
  ): Promise<(LockedWithExtras<E> | ApiError)[]> {
    if (ids.length === 0) return [];
    const sql = this.statements.selectWithRow(me, entity, kindOf(ids[0]), { extras, isLocked, isMany: true });
    const rows = await this.database.query<RowWithContainer>(sql, [me.userId, ids]);
    const byId = new Map(rows.map((row) => [row.x_id, row]));
    return ids.map((id) => {
      try {
        return lockedResource(this.database.source, me, operation, entity, byId.get(id)) ?? notFound();
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    });
  }

  private async selectForUpdate<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
    extras?: ExtraColumns,
  ): Promise<LockedWithExtras<E> | undefined> {
    const sql = this.statements.selectWithRow(me, entity, kindOf(id), { extras, isLocked: true, isMany: false });
    return lockedResource(
      this.database.source,
      me,
      operation,
      entity,
      await this.database.one<RowWithContainer>(sql, [me.userId, id]),
    );
  }

  /**
   * Like {@link lockForUpdate}, for a container and exclusively: waits until all writers in the container are done, and
   * blocks new ones until the end of the transaction. The exclusive lock is taken before the row is read, because two
   * transactions that share a lock on a row cannot both upgrade it.
   */
  async lockExclusively<E extends LockableRow>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
  ): Promise<LockedResource<E>> {
    const { closedBy } = await this.authorizeWithoutLock(me, operation, id);
    // A running operation outlasts any wait for a lock.
    if (closedBy !== null) throw inProgress(closedBy);
    await this.database.lockExclusively(entity, id);
    return this.lockForUpdate(me, operation, entity, id);
  }

  /** Returns the entity in the path for an operation that does not change its row; 404 and 403 as above. */
  async authorize(me: Caller, operation: OperationId, id: string): Promise<AuthorizedResource> {
    const resource = requireRole(me, operation, await this.selectAuthorized(me, id, 'FOR KEY SHARE'));
    if (resource === undefined) throw notFound();
    return resource;
  }

  /** Like {@link authorize} without a lock: the container can be archived before the transaction ends. */
  async authorizeWithoutLock(me: Caller, operation: OperationId, id: string): Promise<AuthorizedResource> {
    const resource = requireRole(me, operation, await this.selectAuthorized(me, id, ''));
    if (resource === undefined) throw notFound();
    return resource;
  }

  /** Returns the entity in a field of the body; 400 if it is not visible or of another kind, 403 as above. */
  async resolveReference(
    me: Caller,
    operation: OperationId,
    field: string,
    id: string,
    kind?: Kind,
    { isLocked = true } = {},
  ): Promise<AuthorizedResource> {
    const isRightKind = kind === undefined ? kindOf(id) !== undefined : isId(kind, id);
    const lock = isLocked ? 'FOR KEY SHARE' : '';
    const resource = isRightKind ? requireRole(me, operation, await this.selectAuthorized(me, id, lock)) : undefined;
    if (resource === undefined) throw invalidInput([referenceNotFound(field)]);
    return resource;
  }

  /**
   * Like {@link resolveReference}, for the parent of a new entity: the parent cannot be moved until the end of the
   * transaction. Locks the container first, as everywhere, then the entity, and then reads the entity. The three
   * statements are sent together and executed in that order.
   */
  async lockReference(
    me: Caller,
    operation: OperationId,
    field: string,
    id: string,
    { kind, exclusive }: { kind?: Kind; exclusive?: boolean } = {},
  ): Promise<AuthorizedResource> {
    const [, , resource] = await Promise.all([
      this.resolveReference(me, operation, field, id, kind),
      this.lock(me, id, { exclusive }),
      this.resolveReference(me, operation, field, id, kind),
    ]);
    return resource;
  }

  /**
   * Locks an entity so that it is not changed, moved or deleted until the end of the transaction; `exclusive` also keeps
   * others from locking it. An invisible entity is neither locked nor waited for: a lock would block other users, and the
   * duration would reveal that the entity exists.
   */
  async lock(me: Caller, id: string, { exclusive = false } = {}): Promise<void> {
    const sql = this.statements.lock(me, kindOf(id), exclusive ? 'NO KEY UPDATE' : 'SHARE');
    await this.database.query(sql, [me.userId, id]);
  }

  /**
   * Returns the representation of the entity in the path, read with one statement; 404 if it is not visible. `decider`
   * is SQL for the id of another entity whose visibility decides; `fields` selects properties.
   */
  async getOr404(
    me: Caller,
    view: View,
    id: string,
    { decider, fields }: { decider?: string; fields?: FieldNames } = {},
  ): Promise<Representation> {
    const sql = this.statements.selectRepresentation(me, view, { decider, fields });
    const row = await this.database.queryPipelined<Json>(sql, [me.userId, id]);
    if (row === undefined) throw notFound();
    return Representation.of(row, fields === undefined ? view : undefined);
  }

  /** Returns the entity if it is visible to the caller with any role; otherwise undefined. */
  async find(me: Caller, id: string): Promise<AuthorizedResource | undefined> {
    const row = await this.selectAuthorized(me, id, '');
    if (row === undefined) return undefined;
    recordRequirement({ entityId: id });
    return toAuthorizedResource(row, me);
  }

  /** Checks `If-Match`. Without {@link assertWritable}, only for changes that archived containers allow. */
  assertIfMatch({ row }: { row?: ObjectLiteral }): void {
    if (typeof row?.revision === 'number') this.context.assertIfMatch(row.revision);
  }

  /** Checks `If-Match`, and that the container accepts changes: the last checks before a write. */
  assertWritable(
    locked: Pick<AuthorizedResource, 'containerStatus' | 'containerKind'> & {
      row?: ObjectLiteral;
      closedBy?: string | null;
    },
  ): void {
    this.assertIfMatch(locked);
    this.assertNotClosed(locked);
    if (locked.containerStatus === 'archived') throw archived(locked.containerKind ?? 'container');
  }

  /** Rejects changes while an operation is running on the container; {@link assertWritable} includes it. */
  assertNotClosed({ closedBy }: { closedBy?: string | null }): void {
    if (closedBy) throw inProgress(closedBy);
  }

  /** Checks the permissions of the first request with an idempotency key again, before its response is replayed. */
  async recheck(me: Caller, requirements: Requirement[]): Promise<void> {
    for (const { operation, entityId } of requirements) {
      if (operation !== undefined) await this.authorize(me, operation as OperationId, entityId);
      else if ((await this.selectAuthorized(me, entityId, '')) === undefined) throw notFound();
    }
  }

  private async selectAuthorized(
    me: Caller,
    id: string,
    lock: 'FOR KEY SHARE' | '',
  ): Promise<AuthorizedRow | undefined> {
    const sql = this.statements.select(me, kindOf(id), lock);
    return this.database.one<AuthorizedRow>(sql, [me.userId, id]);
  }
}
