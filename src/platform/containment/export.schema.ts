import type { JsonSchema, View } from '../database/views/view.js';
import { component, exactly, viewSchema } from '../http/openapi/schemas.js';
import { EXPORT_KEYS } from './containment.js';

const items: JsonSchema = { type: 'array', items: { type: 'object' } };

/** The schema of an exported document; its lists hold the representations of the features. */
export function exportSchema(kind: 'endeavour' | 'organization', view: View): JsonSchema {
  const sections = EXPORT_KEYS.filter((section) => section !== 'endeavours' || kind === 'organization');
  const document = exactly({
    version: { const: 1 },
    exported_at: { type: 'string', format: 'date-time' },
    kind: { const: kind },
    [kind]: viewSchema(view),
    members: items,
    ...Object.fromEntries(sections.map((section) => [section, items])),
  });
  return component(`${view.name}Export`, document);
}
