import type { Kind } from '../../common/kinds.js';

/** A column that references an entity. */
export interface Column {
  table: string;
  column: string;
}

/** A nullable column that references an entity, with the columns that become null with it. */
export interface ReferencingColumn extends Column {
  with?: readonly string[];
}

/** References to erased entities; a feature registers references to entities of every kind. */
export interface Attachments {
  /** Statements over `$1`, the ids of the erased entities, for corrections elsewhere; they run first. */
  before?: readonly string[];
  /** Columns that may reference one of these: they become null. */
  references?: readonly ReferencingColumn[];
  /** Rows that belong to one of these and have no id: they are erased too. */
  parts?: readonly Column[];
}

/** The rules for erasing the entities of one kind together with their container. */
export interface Erasing extends Attachments {
  kind: Kind;
  table: string;
  /** Kinds whose rows reference these: they are erased first. */
  after?: readonly Kind[];
  /** Rows of this kind reference entities of every kind, so they are erased before all of them. */
  namesAny?: true;
  /**
   * SQL for the ids of those to be erased with the endeavours `$1` (an array) and the organization `$2` (or null).
   * Needed only if their entity rows do not decide.
   */
  within?: string;
}

/** Sorts the kinds so that each comes after those that reference it. */
export function inOrder(all: readonly Erasing[]): Erasing[] {
  const ordered: Erasing[] = [];
  const visit = (erasing: Erasing, path: readonly Kind[]): void => {
    if (ordered.includes(erasing)) return;
    if (path.includes(erasing.kind))
      throw new Error(`${[...path, erasing.kind].join(' after ')}: the erase order is circular`);
    for (const kind of erasing.after ?? []) {
      const other = all.find((candidate) => candidate.kind === kind);
      if (other !== undefined) visit(other, [...path, erasing.kind]);
    }
    ordered.push(erasing);
  };
  for (const erasing of all.filter(({ namesAny }) => namesAny)) visit(erasing, []);
  for (const erasing of all) visit(erasing, []);
  return ordered;
}

/** For versioned entities: the predecessor becomes unknown, and later versions elsewhere form their own lineage. */
export const lineageErasing = (table: string): Pick<Erasing, 'before' | 'references'> => ({
  references: [{ table, column: 'predecessor_id' }],
  before: [
    `UPDATE ${table} SET lineage_id = (
       SELECT min(later.id) FROM ${table} later
       WHERE later.lineage_id = ${table}.lineage_id AND later.id <> ALL($1::text[]))
     WHERE lineage_id = ANY($1::text[]) AND id <> ALL($1::text[])`,
  ],
});
