import { Injectable } from '@nestjs/common';
import {
  archived,
  forbidden,
  inProgress,
  invalidInput,
  notFound,
  outsideRestriction,
  referenceNotFound,
  type Refusal,
} from '../common/errors.js';
import { isId, kindOf } from '../common/ids.js';
import type { Kind } from '../common/kinds.js';
import { rankOf } from '../common/roles.js';
import { Representation, oneAsJson, type FieldNames, type Json, type View } from '../platform/database/view.js';
import { fromRow } from '../platform/database/columns.js';
import { MadeOnce } from '../platform/database/made-once.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../platform/database/database.js';
import type { HeldRow } from '../platform/database/rows.js';
import { noteRequirement, type Requirement } from '../platform/http/idempotency.js';
import { RequestFacts } from '../platform/http/request-facts.js';
import type { Caller } from './caller.js';
import { permissionOf, type OperationId } from './permissions.js';
import { containers, FOUND, toFound, type Beside, type Found, type FoundRow, type Opened } from './found.js';
import { visible, visibleOne } from './visibility.js';

export type { Beside, Found, Opened };

type OpenedBeside<E> = Opened<E> & { beside: Record<string, unknown> };

/**
 * Whether `x` is visible, or one entity of that kind if given. Administrators see everything that is not deleted; `$1`
 * is used either way.
 */
export function seenBy(me: Caller, kind?: Kind): string {
  if (me.isAdmin) return '$1::text IS NOT NULL AND x.deleted_at IS NULL';
  return kind === undefined ? visible('x') : visibleOne('x', kind);
}

/**
 * Answers the two questions of spec 02 for one entity: whether the caller can see it (otherwise 404), and whether the
 * caller's role is high enough for the operation according to the permission table.
 */
@Injectable()
export class Access {
  private readonly statements = new MadeOnce();

  constructor(
    private readonly database: Database,
    private readonly facts: RequestFacts,
  ) {}

  /**
   * Locks the entity in the path for a change. 404 if it is not visible, 403 if the role is too low. Its entity row is
   * locked too, so that a caller who waited sees the current container, or that the entity has been deleted.
   */
  async open<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
    beside?: Beside,
  ): Promise<OpenedBeside<E>> {
    const opened = await this.lock(me, operation, entity, id, beside);
    if (opened === undefined) throw notFound();
    return opened;
  }

  /** The same for an entity in a field of the body: 400 if it is not visible. */
  async openNamed<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    field: string,
    id: string,
  ): Promise<Opened<E>> {
    const opened = await this.lock(me, operation, entity, id);
    if (opened === undefined) throw invalidInput([referenceNotFound(field)]);
    return opened;
  }

  private async lock<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
    beside?: Beside,
  ): Promise<OpenedBeside<E> | undefined> {
    const { tableName, columns } = this.database.source.getMetadata(entity);
    const sql = this.statements.text(`open ${tableName} ${kindOf(id)} ${me.isAdmin} ${beside?.name}`, () => {
      const own = columns.filter(({ isSelect }) => isSelect).map(({ databaseName }) => `own."${databaseName}"`);
      const selected = [...own, FOUND, ...(beside === undefined ? [] : [beside.columns])];
      return `SELECT ${selected.join(', ')}
        FROM entities x JOIN ${tableName} own ON own.id = x.id ${containers('FOR KEY SHARE')} ${beside?.joins ?? ''}
        WHERE x.id = $2 AND ${seenBy(me, kindOf(id))} FOR NO KEY UPDATE OF own, x`;
    });
    const row = await this.database.one<FoundRow & Record<string, unknown>>(sql, [me.userId, id]);
    const found = this.require(me, operation, row);
    if (found === undefined) return undefined;
    // People and their resources are seen from within a container, but are not in it.
    if (me.containerId !== undefined && found.place.ownerUserId != null) throw outsideRestriction();
    const read = row as Record<string, unknown>;
    return { ...found, row: fromRow(this.database.source, entity, read), beside: read };
  }

  /**
   * The same for a container, against everyone who writes in it: waits until they are done, and keeps them out until
   * the end of the transaction. Locked before it is opened, because two who share a row cannot both go on to own it.
   */
  async openAlone<E extends HeldRow>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
  ): Promise<Opened<E>> {
    const { closedBy } = await this.check(me, operation, id);
    // Waiting for an operation that holds it would be in vain.
    if (closedBy !== null) throw inProgress(closedBy);
    await this.database.holdAlone(entity, id);
    return this.open(me, operation, entity, id);
  }

  /** The entity in the path, for an operation that does not change its row; 404 and 403 as above. */
  async at(me: Caller, operation: OperationId, id: string): Promise<Found> {
    const found = this.require(me, operation, await this.find(me, id, 'FOR KEY SHARE'));
    if (found === undefined) throw notFound();
    return found;
  }

  /** The same without a lock: the role is what it is at this moment. */
  async check(me: Caller, operation: OperationId, id: string): Promise<Found> {
    const found = this.require(me, operation, await this.find(me, id, ''));
    if (found === undefined) throw notFound();
    return found;
  }

  /** The entity in a field of the body. 400 if it is not visible or of another kind, 403 if the role is too low. */
  async named(me: Caller, operation: OperationId, field: string, id: string, kind?: Kind): Promise<Found> {
    const isRightKind = kind === undefined ? kindOf(id) !== undefined : isId(kind, id);
    const found = isRightKind ? this.require(me, operation, await this.find(me, id, 'FOR KEY SHARE')) : undefined;
    if (found === undefined) throw invalidInput([referenceNotFound(field)]);
    return found;
  }

  /**
   * Like {@link named}, for the parent of a new entity, which cannot be moved until the end of the transaction. The
   * container is locked first, as everywhere, then the entity, and then it is read. The three statements are sent
   * together and executed in that order.
   */
  async target(
    me: Caller,
    operation: OperationId,
    field: string,
    id: string,
    { kind, alone }: { kind?: Kind; alone?: boolean } = {},
  ): Promise<Found> {
    const held = await Promise.all([
      this.named(me, operation, field, id, kind),
      this.hold(me, id, { alone }),
      this.named(me, operation, field, id, kind),
    ]);
    return held[2];
  }

  /**
   * Prevents an entity from being changed, moved and deleted; `alone` also prevents other locks. An invisible entity is
   * neither locked nor waited for: that would affect others, and the duration would reveal it.
   */
  async hold(me: Caller, id: string, { alone = false } = {}): Promise<void> {
    const kind = kindOf(id);
    const lock = alone ? 'NO KEY UPDATE' : 'SHARE';
    const sql = this.statements.text(
      `hold ${kind} ${lock} ${me.isAdmin}`,
      () => `SELECT 1 FROM entities x WHERE x.id = $2 AND ${seenBy(me, kind)} FOR ${lock} OF x`,
    );
    await this.database.query(sql, [me.userId, id]);
  }

  /**
   * The representation of the entity in the path, in one statement; 404 if it is not visible. `decider` is SQL for the
   * id of another entity whose visibility decides; `fields` selects properties.
   */
  async read(
    me: Caller,
    view: View,
    id: string,
    { decider, fields }: { decider?: string; fields?: FieldNames } = {},
  ): Promise<Representation> {
    const make = (): string => {
      const seen = seenBy(me, decider === undefined ? view.kind : undefined);
      const where = `${view.alias}.id = $2 AND EXISTS (SELECT 1 FROM entities x WHERE x.id = ${decider ?? '$2'} AND ${seen})`;
      return oneAsJson(view, where, fields);
    };
    // Selections are too many to keep.
    const sql =
      fields === undefined ? this.statements.text(`read ${view.name} ${decider} ${me.isAdmin}`, make) : make();
    const row = await this.database.glance<Json>(sql, [me.userId, id]);
    if (row === undefined) throw notFound();
    return Representation.of(row);
  }

  /** The entity if it is visible to the caller, whatever the role; otherwise undefined. */
  async look(me: Caller, id: string): Promise<Found | undefined> {
    const row = await this.find(me, id, '');
    if (row === undefined) return undefined;
    noteRequirement({ entityId: id });
    return toFound(row, me);
  }

  /** Whether `If-Match` holds: by itself only before what an archived container still allows. */
  matches({ row }: { row?: ObjectLiteral }): void {
    if (typeof row?.revision === 'number') this.facts.assertMatches(row.revision);
  }

  /** The last checks before a write: `If-Match` holds, and the container takes changes. */
  ready(
    opened: Pick<Found, 'containerStatus' | 'containerKind'> & { row?: ObjectLiteral; closedBy?: string | null },
  ): void {
    this.matches(opened);
    this.assertNotClosed(opened);
    if (opened.containerStatus === 'archived') throw archived(opened.containerKind ?? 'container');
  }

  /**
   * Asserts only that no operation is running on the container; used alone for changes that archived containers allow.
   */
  assertNotClosed({ closedBy }: { closedBy?: string | null }): void {
    if (closedBy) throw inProgress(closedBy);
  }

  /** Checks again what a write under an idempotency key was allowed by, before its answer is repeated. */
  async recheck(me: Caller, requirements: Requirement[]): Promise<void> {
    for (const { operation, entityId } of requirements) {
      if (operation !== undefined) await this.at(me, operation as OperationId, entityId);
      else if ((await this.find(me, entityId, '')) === undefined) throw notFound();
    }
  }

  private async find(me: Caller, id: string, lock: 'FOR KEY SHARE' | ''): Promise<FoundRow | undefined> {
    const kind = kindOf(id);
    const sql = this.statements.text(
      `find ${kind} ${lock} ${me.isAdmin}`,
      () => `SELECT ${FOUND} FROM entities x ${containers(lock)} WHERE x.id = $2 AND ${seenBy(me, kind)}`,
    );
    return this.database.one<FoundRow>(sql, [me.userId, id]);
  }

  private require(me: Caller, operation: OperationId, row: FoundRow | undefined): Found | undefined {
    if (row === undefined) return undefined;
    const found = toFound(row, me);
    const shortfall = shortfallOf(operation, found);
    if (shortfall !== undefined) throw shortfall;
    noteRequirement({ operation, entityId: found.id });
    return found;
  }
}

/** The error of the permission table for a caller of that rank, if any. */
function shortfallOf(operation: OperationId, { rank: has, containerKind }: Found): Refusal | undefined {
  const { role } = permissionOf(operation);
  if (role === undefined || has >= rankOf(role)) return undefined;
  return forbidden(`the ${role} role${containerKind === null ? '' : ` in this ${containerKind}`}`);
}
