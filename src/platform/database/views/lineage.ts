import { conflict } from '../../../common/errors.js';
import { boolean, type View } from './view.js';
import type { VersionedRow } from './rows.js';

/** The origin of a versioned entity: built-in, created, or a fork. */
export const ORIGINS = ['template', 'custom', 'fork'] as const;

type VersionColumns = Pick<VersionedRow, 'version' | 'predecessorId' | 'lineageId'>;

/** The version columns of an entity that starts a new lineage. */
export const firstVersion = (id: string): VersionColumns => ({ version: 1, predecessorId: null, lineageId: id });

/** The version columns of an entity made from `source`, whose row must be locked until the new one is written. */
export const nextVersion = (source: VersionedRow): VersionColumns => ({
  version: source.version + 1,
  predecessorId: source.id,
  lineageId: source.lineageId,
});

/** Rejects changes of built-in entities, for every caller. */
export function assertNotBuiltIn(row: VersionedRow): void {
  if (row.origin !== 'template') return;
  throw conflict('built_in', 'Built-in versions cannot be changed; fork this one and change the fork.');
}

/** The view of an entry of a lineage that is visible to the caller. */
export const entryView = (view: View): View => ({
  ...view,
  name: `${view.name}LineageEntry`,
  fields: { ...view.fields, visible: boolean('true') },
});

/**
 * The chain of predecessors of the row `$2` and itself, as rows `chain (id, predecessor_id, version, age)`; the oldest
 * has the highest age.
 */
export const chainOf = (table: string): string => `chain AS (
  SELECT id, predecessor_id, version, 0 AS age FROM ${table} WHERE id = $2
  UNION ALL
  SELECT older.id, older.predecessor_id, older.version, chain.age + 1
  FROM chain JOIN ${table} older ON older.id = chain.predecessor_id)`;
