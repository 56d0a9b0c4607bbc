import { eventData, peopleOf } from '../database/views/event-view.js';
import type { View } from '../database/views/view.js';

interface RowEvents {
  /** The representation of the rows, under whose alias `rows` is read. It must not depend on a caller. */
  view: View;
  /** The last word of the type: `access_token.deleted`. */
  act: string;
  /** The name of the step that returns the changed rows. */
  rows: string;
  changed: string;
  /** SQL for the previous values. */
  previous: string;
  /** SQL for the endeavour of each row. */
  endeavour?: string;
}

/**
 * SQL for functions of the database: writes an event of each changed row, with the data and the audience that the service
 * would write.
 */
export function insertRowEvents({ view, act, rows, changed, previous, endeavour = 'NULL' }: RowEvents): string {
  const { alias, kind } = view;
  return `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, changed, audience, previous, data)
        SELECT new_id('evt'), '${kind}.${act}', '${kind}', ${alias}.id, ${endeavour}, '{${changed}}',
          ${peopleOf(view) ?? `'{}'`}, ${previous},
          ${eventData(view)}
        FROM ${rows} ${alias} ORDER BY ${alias}.id`;
}
