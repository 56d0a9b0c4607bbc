import { Injectable } from '@nestjs/common';
import { archived, forbidden, invalidInput, notFound, referenceNotFound, type Refusal } from '../common/errors.js';
import { isId, kindOf } from '../common/ids.js';
import type { Kind } from '../common/kinds.js';
import { rankOf } from '../common/roles.js';
import type { Place } from '../platform/changes/actor.js';
import { Representation, oneAsJson, type Json, type View } from '../platform/database/view.js';
import { fromRow } from '../platform/database/columns.js';
import { MadeOnce } from '../platform/database/made-once.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../platform/database/database.js';
import type { HeldRow } from '../platform/database/rows.js';
import { noteRequirement, type Requirement } from '../platform/http/idempotency.js';
import { RequestFacts } from '../platform/http/request-facts.js';
import type { Caller } from './caller.js';
import { permissionOf, type OperationId } from './permissions.js';
import { rank, visible, visibleOne } from './visibility.js';

/** A thing that the caller may see: where it lies, and what the caller is there. */
export interface Found {
  id: string;
  kind: Kind;
  title: string;
  place: Place;
  /** 1 (guest, viewer) to 4 (owner, administrator); 0 where the thing lies in no container. */
  rank: number;
  /** The status of the endeavour or organization that it lies in, if any. */
  containerStatus: string | null;
  containerKind: 'endeavour' | 'organization' | null;
}

/** A thing taken in hand for a change: its row is locked until the end of the transaction. */
export interface Opened<E> extends Found {
  row: E;
}

interface FoundRow {
  x_id: string;
  x_kind: Kind;
  x_title: string;
  x_endeavour_id: string | null;
  x_organization_id: string | null;
  x_owner_user_id: string | null;
  x_is_global: boolean;
  x_rank: number;
  endeavour_status: string | null;
  organization_status: string | null;
}

/** Prefixed, because an area's own row that is read beside it may use the same names. */
const FOUND = `x.id AS x_id, x.kind AS x_kind, x.title AS x_title, x.endeavour_id AS x_endeavour_id,
  x.organization_id AS x_organization_id, x.owner_user_id AS x_owner_user_id, x.is_global AS x_is_global,
  ${rank('x')} AS x_rank, c.status AS endeavour_status, d.status AS organization_status`;

/** The containers of an entity row `x`; for a write they are share-locked, so that none is archived meanwhile. */
const containers = (lock: 'FOR KEY SHARE' | ''): string => `
  LEFT JOIN LATERAL (SELECT e.status FROM endeavours e WHERE e.id = x.endeavour_id ${lock}) c ON true
  LEFT JOIN LATERAL (SELECT o.status FROM organizations o WHERE o.id = x.organization_id ${lock}) d ON true`;

/** Whether `x` is seen, one thing of that kind if it is given. Administrators see all that lives; `$1` is used either way. */
export function seenBy(me: Caller, kind?: Kind): string {
  if (me.isAdmin) return '$1::text IS NOT NULL AND x.deleted_at IS NULL';
  return kind === undefined ? visible('x') : visibleOne('x', kind);
}

/**
 * Answers, for one thing at a time, the two questions of spec 02: may the caller see it (else it does not exist for
 * them), and is their role there high enough for the operation (the permission table says which is needed).
 */
@Injectable()
export class Access {
  private readonly statements = new MadeOnce();

  constructor(
    private readonly database: Database,
    private readonly facts: RequestFacts,
  ) {}

  /**
   * Locks the thing named in the path for a change. 404 where it is not visible, 403 where the role is too low. Its entity
   * row is locked too, so that somebody who waited finds where it lies now, and whether it is still there.
   */
  async open<E extends ObjectLiteral>(
    me: Caller,
    operation: OperationId,
    entity: EntityTarget<E>,
    id: string,
  ): Promise<Opened<E>> {
    const { tableName, columns } = this.database.source.getMetadata(entity);
    const sql = this.statements.text(`open ${tableName} ${kindOf(id)} ${me.isAdmin}`, () => {
      const own = columns.filter(({ isSelect }) => isSelect).map(({ databaseName }) => `own."${databaseName}"`);
      return `SELECT ${own.join(', ')}, ${FOUND}
        FROM entities x JOIN ${tableName} own ON own.id = x.id ${containers('FOR KEY SHARE')}
        WHERE x.id = $2 AND ${seenBy(me, kindOf(id))} FOR NO KEY UPDATE OF own, x`;
    });
    const row = await this.database.one<FoundRow & Record<string, unknown>>(sql, [me.userId, id]);
    const found = this.require(me, operation, row);
    if (found === undefined) throw notFound();
    return { ...found, row: fromRow(this.database.source, entity, row as Record<string, unknown>) };
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
    if ((await this.look(me, id)) === undefined) throw notFound();
    await this.database.holdAlone(entity, id);
    return this.open(me, operation, entity, id);
  }

  /** The thing named in the path, for something that happens at it without changing its row; 404 and 403 as above. */
  async at(me: Caller, operation: OperationId, id: string): Promise<Found> {
    const found = this.require(me, operation, await this.find(me, id, 'FOR KEY SHARE'));
    if (found === undefined) throw notFound();
    return found;
  }

  /** The thing named by a field of the body. 400 where it is not visible or of another kind, 403 where the role is too low. */
  async named(me: Caller, operation: OperationId, field: string, id: string, kind?: Kind): Promise<Found> {
    const isRightKind = kind === undefined ? kindOf(id) !== undefined : isId(kind, id);
    const found = isRightKind ? this.require(me, operation, await this.find(me, id, 'FOR KEY SHARE')) : undefined;
    if (found === undefined) throw invalidInput([referenceNotFound(field)]);
    return found;
  }

  /**
   * Like {@link named}, for something that is to hang on the thing, which keeps lying where it is until the end of the
   * transaction. The container is locked first, as everywhere; then the thing; then it is read as it stands. The three
   * are asked for at once, and done in that order.
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
   * Keeps a thing from changing, moving and going away; `alone` also from being held by anybody else. What the caller
   * does not see is neither locked nor waited for: others would feel it, and how long it takes would tell.
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
   * The representation of the thing named in the path, in one statement; 404 where it is not visible. `decider` is SQL
   * for the id of the living thing by which that is judged, where it is another one.
   */
  async read(me: Caller, view: View, id: string, decider?: string): Promise<Representation> {
    const sql = this.statements.text(`read ${view.name} ${decider} ${me.isAdmin}`, () => {
      const seen = seenBy(me, decider === undefined ? view.kind : undefined);
      const where = `${view.alias}.id = $2 AND EXISTS (SELECT 1 FROM entities x WHERE x.id = ${decider ?? '$2'} AND ${seen})`;
      return oneAsJson(view, where);
    });
    const row = await this.database.glance<Json>(sql, [me.userId, id]);
    if (row === undefined) throw notFound();
    return Representation.of(row);
  }

  /** Whether the caller may see it at all; undefined where not. Asks for no role. */
  async look(me: Caller, id: string): Promise<Found | undefined> {
    const row = await this.find(me, id, '');
    return row && toFound(row, me);
  }

  /** Whether `If-Match` holds: by itself only before what an archived container still allows. */
  matches({ row }: { row?: ObjectLiteral }): void {
    if (typeof row?.revision === 'number') this.facts.assertMatches(row.revision);
  }

  /** The last two checks before a write: `If-Match` holds, and the container still takes changes. */
  ready(opened: Pick<Found, 'containerStatus' | 'containerKind'> & { row?: ObjectLiteral }): void {
    this.matches(opened);
    if (opened.containerStatus === 'archived') throw archived(opened.containerKind ?? 'container');
  }

  /** Checks again what a write under an idempotency key was allowed by, before its answer is repeated. */
  async recheck(me: Caller, requirements: Requirement[]): Promise<void> {
    for (const { operation, entityId } of requirements) await this.at(me, operation as OperationId, entityId);
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

/** The refusal that the permission table has for somebody of that rank, if any. */
function shortfallOf(operation: OperationId, { rank: has, containerKind }: Found): Refusal | undefined {
  const { role } = permissionOf(operation);
  if (role === undefined || has >= rankOf(role)) return undefined;
  return forbidden(`the role ${role} or higher${containerKind === null ? '' : ` in the ${containerKind}`}`);
}

function toFound(row: FoundRow, me: Caller): Found {
  return {
    id: row.x_id,
    kind: row.x_kind,
    title: row.x_title,
    place: {
      endeavourId: row.x_endeavour_id,
      organizationId: row.x_organization_id,
      ownerUserId: row.x_owner_user_id,
      isGlobal: row.x_is_global,
    },
    rank: me.isAdmin ? 4 : row.x_rank,
    containerStatus: row.endeavour_status ?? row.organization_status,
    containerKind: containerKindOf(row),
  };
}

function containerKindOf(row: FoundRow): 'endeavour' | 'organization' | null {
  if (row.x_endeavour_id !== null) return 'endeavour';
  return row.x_organization_id !== null ? 'organization' : null;
}
