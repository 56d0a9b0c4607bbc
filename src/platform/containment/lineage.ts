import { defineView, type ViewField, type View } from '../database/views/view.js';
import { EXPORT_SCOPE } from './export-part.js';

/** The view as exports show it: without the ids of sources in other containers. */
export function withoutForeignOrigin(view: View): View {
  const { predecessor_id, lineage_id } = view.fields;
  const exportable = (field: ViewField<unknown>): ViewField<unknown> => ({
    ...field,
    sql: EXPORT_SCOPE.exportableId(field.sql),
  });
  const fields = { ...view.fields, predecessor_id: exportable(predecessor_id), lineage_id: exportable(lineage_id) };
  return defineView({ ...view, name: `Exported${view.name}`, fields });
}
