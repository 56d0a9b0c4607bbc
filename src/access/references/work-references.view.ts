import type { JsonSchema } from '../../platform/database/views/view.js';
import { json, withoutEventValue, type ViewField } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { MOST_REFERENCES, MOST_SHOWN } from './work-references.database.js';

/** Something whose description or comments name a task or demand by its key. */
interface Referring {
  entity_type: string;
  entity_id: string;
  key: string | null;
  title: string;
}

const SCHEMA: JsonSchema = component(
  'ReferencedBy',
  exactly({
    total: {
      type: 'integer',
      description: `How many there are, of those that you see and that the newest ${MOST_REFERENCES} texts belong to.`,
    },
    items: {
      type: 'array',
      maxItems: MOST_SHOWN,
      description: `The ${MOST_SHOWN} whose texts were written last.`,
      items: exactly({
        entity_type: { type: 'string' },
        entity_id: { type: 'string' },
        key: { type: ['string', 'null'], description: 'The key of a task or demand; null for others.' },
        title: { type: 'string' },
      }),
    },
  }),
);

/**
 * SQL for what refers to a task or demand by its key, as JSON. A function reads it, because planning a query for the few to which
 * anything refers would cost each read of a task or demand.
 */
export const referencesTo = (row: string): string =>
  `CASE WHEN ${row}.has_references THEN references_of(${row}.id, :me) ELSE '{"total":0,"items":[]}'::json END`;

export const referencedBy = (row: string): ViewField<{ total: number; items: Referring[] }> =>
  withoutEventValue(json(referencesTo(row), SCHEMA));
