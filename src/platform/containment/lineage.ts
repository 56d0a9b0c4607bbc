import { defineView, type ViewField, type View } from '../database/view.js';
import { INSIDE } from './export-part.js';

/** The view as exports show it: without the ids of sources in other containers. */
export function withoutForeignOrigin(view: View): View {
  const { predecessor_id, lineage_id } = view.fields;
  const nameable = (field: ViewField<unknown>): ViewField<unknown> => ({ ...field, sql: INSIDE.nameable(field.sql) });
  const fields = { ...view.fields, predecessor_id: nameable(predecessor_id), lineage_id: nameable(lineage_id) };
  return defineView({ ...view, name: `Exported${view.name}`, fields });
}
