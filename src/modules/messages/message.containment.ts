import type { Attachments } from '../../platform/containment/erasing.js';

const references = ['entity', 'scope'];

/** Messages are personal and kept, but they and their events lose the reference to the erased entity. */
export const messageAttachments: Attachments = {
  before: references.map(
    (name) => `UPDATE events v SET data = (v.data::jsonb || '{"${name}_type": null, "${name}_id": null}')::json
      FROM messages m WHERE m.${name}_id = ANY($1::text[]) AND v.entity_id = m.id`,
  ),
  references: references.map((name) => ({ table: 'messages', column: `${name}_id`, with: [`${name}_type`] })),
};
