import type { Kind } from '../../common/kinds.js';
import { rowsAsJson, type View } from '../database/views/view.js';
import type { Containment, ExportScope } from './containment.js';

/** One property of an exported document, with the statements that yield its JSON. */
export interface ExportPart {
  name: string;
  isList: boolean;
  /**
   * Each yields rows of one text column `body`; `$1` is the caller, `$2` to `$4` are the values of {@link ExportScope}.
   */
  queries: readonly string[];
}

const isContained = (x: string): string =>
  `(${x}.endeavour_id = ANY($2::text[]) OR (${x}.endeavour_id IS NULL AND ${x}.organization_id = $3::text))`;

const existsInside = (x: string): string => `${x}.deleted_at IS NULL AND ${isContained(x)}`;

const HOMES = '$4::text[]';

/** The names of the endeavours and the organization in all statements of an export. */
export const EXPORT_SCOPE: ExportScope = {
  endeavours: '$2::text[]',
  organization: '$3::text',
  homes: HOMES,
  contains: (id) => `EXISTS (SELECT 1 FROM entities inside WHERE inside.id = ${id} AND ${existsInside('inside')})`,
  containsEvenIfDeleted: (id) =>
    `EXISTS (SELECT 1 FROM entities inside WHERE inside.id = ${id} AND ${isContained('inside')})`,
  exportableId: (id) => `(SELECT inside.id FROM entities inside WHERE inside.id = ${id} AND (inside.is_global
    OR inside.endeavour_id = ANY($2::text[])
    OR (inside.endeavour_id IS NULL AND inside.organization_id = ANY(${HOMES}))))`,
  withoutOutside: (document) => `without_outside(${document}, $2::text[], ${HOMES})`,
};

/** Names all parameters and their types, because a statement may use only some of them. */
export const ALL_PARAMETERS =
  '($1::text IS NULL OR $2::text[] IS NULL OR $3::text IS NULL OR $4::text[] IS NULL OR true)';

/** The statement for all rows of a view that are inside, by id. */
function insideQuery(view: View, within?: Containment['within']): string {
  const { select, from } = rowsAsJson(view);
  const where = within?.(EXPORT_SCOPE) ?? `${view.alias}.id IN (${idsInside(view.kind)})`;
  return `SELECT body::text AS body FROM (
    SELECT ${select} FROM ${from} WHERE ${where} AND ${ALL_PARAMETERS} ORDER BY ${view.alias}.id) rows`;
}

const idsInside = (kind: Kind): string =>
  `SELECT inside.id FROM entities inside WHERE inside.kind = '${kind}' AND ${existsInside('inside')}`;

/** The ids of everything in the container, including what was in it when it was deleted; for `IN (...)`. */
export const CONTAINED_IDS = `SELECT inside.id FROM entities inside WHERE ${isContained('inside')}`;

/** A property that holds one representation. */
export const onePart = (name: string, view: View, within: Containment['within']): ExportPart => ({
  name,
  isList: false,
  queries: [insideQuery(view, within)],
});

/** A property that holds a list of representations. */
export const listPart = (name: string, view: View, within?: Containment['within']): ExportPart => ({
  name,
  isList: true,
  queries: [insideQuery(view, within)],
});
