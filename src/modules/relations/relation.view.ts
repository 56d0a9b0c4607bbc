import { anyId, defineView, id, metadata, oneOf, text, time } from '../../platform/database/view.js';
import { RELATED_KINDS } from './relation.rules.js';

/** What both ends are called, from their entity rows. */
export const ENDS = `
  JOIN entities source ON source.id = l.source_entity_id
  JOIN entities target ON target.id = l.target_entity_id`;

/** A relation as clients see it. */
export const relationView = defineView({
  name: 'Relation',
  kind: 'relation',
  table: 'relations',
  alias: 'l',
  joins: ENDS,
  fields: {
    id: id('l.id', 'relation'),
    relationship_type: text('l.relationship_type'),
    source_entity_type: oneOf('l.source_entity_type', RELATED_KINDS),
    source_entity_id: anyId('l.source_entity_id'),
    target_entity_type: oneOf('l.target_entity_type', RELATED_KINDS),
    target_entity_id: anyId('l.target_entity_id'),
    source_title: text('source.title'),
    target_title: text('target.title'),
    metadata: metadata('l.metadata'),
    created_by: id('l.created_by', 'resource'),
    created_at: time('l.created_at'),
  },
});
