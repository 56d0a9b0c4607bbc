import type { Containment } from '../../platform/containment/containment.js';
import { isRelationAlive } from './relation.list.js';
import { relationView } from './relation.view.js';
import type { Relation } from './relation.entity.js';

/** Relations are erased with either of their ends. */
const ends = ['source_entity_id', 'target_entity_id'].flatMap((end) =>
  [`x.endeavour_id = ANY($1::text[])`, `x.endeavour_id IS NULL AND x.organization_id = $2::text`].map(
    (place) => `SELECT l.id FROM entities x JOIN relations l ON l.${end} = x.id WHERE ${place}`,
  ),
);

/** A relation belongs to a container if both of its ends do, and so does its history. */
export const relationContainment: Containment<Relation> = {
  exportKey: 'relations',
  view: relationView,
  erasing: { namesAny: true, within: ends.join(' UNION ALL ') },
  changes: (inside) => `EXISTS (SELECT 1 FROM relations l WHERE l.id = v.entity_id
    AND ${inside.held('l.source_entity_id')} AND ${inside.held('l.target_entity_id')})`,
  within: (inside) =>
    `${isRelationAlive} AND ${inside.holds('l.source_entity_id')} AND ${inside.holds('l.target_entity_id')}`,
};
