import type { Kind } from '../../common/kinds.js';
import type { DataSource, EntityTarget, ObjectLiteral } from '../../platform/database/database.js';
import { StatementCache } from '../../platform/database/connections/statement-cache.js';
import { oneAsJson, type FieldNames, type View } from '../../platform/database/views/view.js';
import { AUTHORIZED_COLUMNS, containerJoins, type ExtraColumns } from '../authorized-resource.js';
import type { Caller } from '../authentication/caller.js';
import { visible, visibleOne } from './visibility.js';

/**
 * SQL: whether the entity `x` is visible to the caller; a known kind allows a cheaper condition. Administrators see
 * everything that is not deleted. `$1`, the id of the user, is referenced in every case.
 */
export function isVisibleTo(me: Caller, kind?: Kind): string {
  if (me.isAdmin) return '$1::text IS NOT NULL AND x.deleted_at IS NULL';
  return kind === undefined ? visible('x') : visibleOne('x', kind);
}

/**
 * Builds and caches the statements of {@link Access}. In each of them `$1` is the id of the user, `$2` that of the
 * entity.
 */
export class AccessStatements {
  private readonly cache = new StatementCache();

  constructor(private readonly source: DataSource) {}

  /** Selects the container of an entity and the caller's rank there. */
  select(me: Caller, kind: Kind | undefined, lock: 'FOR KEY SHARE' | ''): string {
    return this.cache.getOrBuild(
      `select ${kind} ${lock} ${me.isAdmin}`,
      () =>
        `SELECT ${AUTHORIZED_COLUMNS} FROM entities x ${containerJoins(lock)} WHERE x.id = $2 AND ${isVisibleTo(me, kind)}`,
    );
  }

  /** Selects the same with the row of the entity; with `isMany`, `$2` is an array of ids. */
  selectWithRow<E extends ObjectLiteral>(
    me: Caller,
    entity: EntityTarget<E>,
    kind: Kind | undefined,
    { extras, isLocked, isMany }: { extras?: ExtraColumns; isLocked: boolean; isMany: boolean },
  ): string {
    const { tableName, columns } = this.source.getMetadata(entity);
    const key = `select with ${tableName} ${kind} ${me.isAdmin} ${extras?.name} ${isLocked} ${isMany}`;
    return this.cache.getOrBuild(key, () => {
      const own = columns.filter(({ isSelect }) => isSelect).map(({ databaseName }) => `own."${databaseName}"`);
      const selected = [...own, AUTHORIZED_COLUMNS, ...(extras === undefined ? [] : [extras.columns])];
      const containers = containerJoins(isLocked ? 'FOR KEY SHARE' : '');
      return `SELECT ${selected.join(', ')}
        FROM entities x JOIN ${tableName} own ON own.id = x.id ${containers} ${extras?.joins ?? ''}
        WHERE ${isMany ? 'x.id = ANY($2::text[])' : 'x.id = $2'} AND ${isVisibleTo(me, kind)}
        ${isMany ? 'ORDER BY x.id' : ''} ${isLocked ? 'FOR NO KEY UPDATE OF own, x' : ''}`;
    });
  }

  /** Locks the entity row without reading it. */
  lock(me: Caller, kind: Kind | undefined, lock: 'NO KEY UPDATE' | 'SHARE'): string {
    return this.cache.getOrBuild(
      `lock ${kind} ${lock} ${me.isAdmin}`,
      () => `SELECT 1 FROM entities x WHERE x.id = $2 AND ${isVisibleTo(me, kind)} FOR ${lock} OF x`,
    );
  }

  /**
   * Selects the representation of an entity. `decider` is SQL for the id of the entity whose visibility decides.
   * Statements with `fields` are not cached, because the number of possible selections is not bounded.
   */
  selectRepresentation(me: Caller, view: View, { decider, fields }: { decider?: string; fields?: FieldNames }): string {
    const build = (): string => {
      const isVisible = isVisibleTo(me, decider === undefined ? view.kind : undefined);
      const where = `${view.alias}.id = $2 AND EXISTS (SELECT 1 FROM entities x WHERE x.id = ${decider ?? '$2'} AND ${isVisible})`;
      return oneAsJson(view, where, fields);
    };
    return fields === undefined
      ? this.cache.getOrBuild(`representation ${view.name} ${decider} ${me.isAdmin}`, build)
      : build();
  }
}
