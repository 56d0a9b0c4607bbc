import { keyOfEntity } from '../../access/references/work-keys.view.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  anyId,
  defineView,
  boolean,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  type ViewField,
} from '../../platform/database/views/view.js';
import { visible } from '../../access/visibility/visibility.js';
import { RELATED_KINDS } from './relation.rules.js';

/** SQL: joins the entity rows of both ends. */
export const ENDS = `
  JOIN entities source ON source.id = l.source_entity_id
  JOIN entities target ON target.id = l.target_entity_id`;

/** SQL: whether both ends are in the same container, or both in none. */
const isInOneContainer = `(source.endeavour_id, source.organization_id) IS NOT DISTINCT FROM
  (target.endeavour_id, target.organization_id)`;

/** The id of an end; events store it only if both ends are in the same container. */
const end = (column: string): ViewField<string> => ({
  ...anyId(column),
  kept: { sql: `CASE WHEN ${isInOneContainer} THEN ${column} END` },
});

/** SQL: whether the event of a relation can be shown: both ends are in one container, or the user sees both. */
export const isRelationEventShown = (relation: string, me: string): string =>
  `EXISTS (SELECT 1 FROM relations l ${ENDS} WHERE l.id = ${relation} AND (
    (${isInOneContainer} AND coalesce(source.endeavour_id, source.organization_id) IS NOT NULL)
    OR (${visible('source', me)} AND ${visible('target', me)})))`;

/** A relation as clients see it. */
export const relationView = defineView({
  name: 'Relation',
  kind: 'relation',
  table: 'relations',
  alias: 'l',
  joins: ENDS,
  people: {
    properties: ['created_by'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id IN (l.source_entity_id, l.target_entity_id))`,
  },
  fields: {
    id: id('l.id', 'relation'),
    relationship_type: text('l.relationship_type'),
    source_entity_type: oneOf('l.source_entity_type', RELATED_KINDS),
    source_entity_id: end('l.source_entity_id'),
    target_entity_type: oneOf('l.target_entity_type', RELATED_KINDS),
    target_entity_id: end('l.target_entity_id'),
    source_key: keyOfEntity('source'),
    source_title: withoutEventValue(text('source.title')),
    target_key: keyOfEntity('target'),
    target_title: withoutEventValue(text('target.title')),
    structural: withoutEventValue(boolean('false', 'Whether the relation represents a membership or link.')),
    metadata: written(
      {
        ...metadata('l.metadata'),
        kept: { sql: `CASE WHEN ${isInOneContainer} THEN l.metadata ELSE '{}' END` },
      },
      'personal',
    ),
    created_by: nullable(id('l.created_by', 'resource')),
    created_at: time('l.created_at'),
  },
});
