import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { sameJson } from '../../../common/texts/json.js';
import { snakeCase } from '../../../common/texts/case.js';

/** A value for a column in the form that the driver expects. */
export interface Assignment {
  column: string;
  value: unknown;
}

/** The columns of the given properties, by the mapping of the entity; an unknown property is a programming error. */
export function assignments(source: DataSource, entity: EntityTarget<ObjectLiteral>, values: object): Assignment[] {
  const metadata = source.getMetadata(entity);
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([property, value]) => {
      const column = metadata.findColumnWithPropertyName(property);
      if (column === undefined) throw new Error(`${metadata.name} has no property ${property}`);
      const isJson = column.type === 'jsonb' || column.type === 'json';
      return { column: column.databaseName, value: isJson && value !== null ? JSON.stringify(value) : value };
    });
}

/** The values by column name, in their JSON form. */
export function columnsOf<E extends ObjectLiteral>(
  source: DataSource,
  entity: EntityTarget<E>,
  values: Partial<E>,
): Record<string, unknown> {
  const metadata = source.getMetadata(entity);
  const named = Object.entries(values).map(([property, value]): [string, unknown] => {
    const column = metadata.findColumnWithPropertyName(property);
    if (column === undefined) throw new Error(`${metadata.name} has no property ${property}`);
    return [column.databaseName, value];
  });
  return Object.fromEntries(named);
}

/** The author of the write, if the table has that column. */
export function writtenBy(
  source: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  actor: { resourceId: string } | null,
): Assignment[] {
  const column = source.getMetadata(entity).findColumnWithPropertyName('updatedBy');
  return column === undefined ? [] : [{ column: column.databaseName, value: actor?.resourceId || null }];
}

/** SQL: the columns of the entity, by name, because a prepared `*` fails once a release adds a column. */
export const columnsSql = (source: DataSource, entity: EntityTarget<ObjectLiteral>, alias: string): string =>
  source
    .getMetadata(entity)
    .columns.filter(({ isSelect }) => isSelect)
    .map(({ databaseName }) => `${alias}."${databaseName}"`)
    .join(', ');

/** A row from the driver with the property names of the entity. */
export function fromRow<E extends ObjectLiteral>(
  source: DataSource,
  entity: EntityTarget<E>,
  row: Record<string, unknown>,
): E {
  const values: Record<string, unknown> = {};
  for (const column of source.getMetadata(entity).columns) values[column.propertyName] = row[column.databaseName];
  return values as E;
}

/** The changes that differ from the current values. */
export function changedValues<E extends object>(current: E, changes: Partial<E>): Partial<E> {
  const differing = Object.entries(changes).filter(
    ([property, value]) => value !== undefined && !isSame(current[property as keyof E], value),
  );
  return Object.fromEntries(differing) as Partial<E>;
}

/** The previous values of the changed properties, by wire name. */
export function previousOf<E extends object>(current: E, changes: Partial<E>): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(changes).map((property) => [snakeCase(property), current[property as keyof E]]),
  );
}

function isSame(before: unknown, after: unknown): boolean {
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime();
  return sameJson(before ?? null, after ?? null);
}
